"""A variant's forward graph as a text for Graphviz."""

from __future__ import annotations

from graphviz import Digraph

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.exercises.functions.bank.program import Step

from .naming import is_node, value_names

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "pow": "^"}
WEIGHT, INPUT, RESULT = "#fde2b8", "#cfe5f7", "#d3efd0"


def dot_of(variant: Variant) -> str:
    """One box a node, with what it calculates; an oval a weight or input. Numbers stand in the
    boxes. Edges go from operands to results."""
    graph = Digraph(variant.name, graph_attr={"label": variant.name})
    graph.attr(
        "node", shape="box", style="rounded,filled", fillcolor="white", fontname="sans-serif"
    )
    names = value_names(variant)
    for step, name in zip(variant.program, names, strict=True):
        if step.code == "load":
            colour = WEIGHT if name in variant.weights else INPUT
            graph.node(name, shape="ellipse", fillcolor=colour)
        elif is_node(step):
            colour = RESULT if name == "y" else "white"
            graph.node(name, f"{name} = {_formula(step, names)}", fillcolor=colour)
            for operand in step.operands:
                if variant.program[operand].value is None:
                    graph.edge(names[operand], name)
    return str(graph.source)


def _formula(step: Step, names: list[str]) -> str:
    operands = [names[operand] for operand in step.operands]
    if step.code == "call":
        return f"{step.name}({', '.join(operands)})"
    if len(operands) == 1:
        return f"{'+' if step.code == 'pos' else '−'}{operands[0]}"
    return f"{operands[0]} {SIGNS[step.code]} {operands[1]}"
