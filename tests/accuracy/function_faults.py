"""Faults in the arithmetic of a Function: changes of one node of its graph."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from faults import NoPlace

from pytest_backprop_authoring.functions.graph import TensorGraph
from pytest_backprop_authoring.functions.program import FunctionProgram

Change = Callable[[TensorGraph, int, Random, list[int]], int | None]
"""From a graph, a node and others of which it may be made, to what stands in its place; None for no place."""


def _lost_factor(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, _ = graph.nodes[node]
    left = [o for o in operands if graph.is_floating(o)] if kind in ("mul", "div") else []
    return random.choice(left) if left and (kind == "mul" or left == [operands[0]]) else None


def _sign(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, _ = graph.nodes[node]
    if kind in ("add", "sub"):
        return graph.add("sub" if kind == "add" else "add", *operands)
    if kind == "neg":
        return operands[0]
    return graph.add("neg", node) if kind in ("mul", "matmul") and graph.is_floating(node) else None


def _sum(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, parameters = graph.nodes[node]
    if kind != "sum" or not parameters:
        return None
    ways = [lambda: graph.add("mean", *operands, parameters=parameters)]
    if parameters[0] in ("0", "1", "-1") and len(graph.shape(operands[0])) == 2:
        other = "1" if parameters[0] == "0" else "0"
        ways.append(lambda: graph.add("sum", *operands, parameters=(other, *parameters[1:])))
        if "keepdim=True" in parameters:
            ways.append(lambda: operands[0])
    return random.choice(ways)()


def _operand(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, parameters = graph.nodes[node]
    places = [
        (at, other)
        for at, operand in enumerate(operands)
        for other in others
        if other != operand and not graph.is_number(operand) and graph.is_floating(operand)
        and graph.shape(other) == graph.shape(operand)
    ]  # fmt: skip
    if not places or kind in ("index_add", "index"):
        return None
    at, other = random.choice(places)
    return graph.add(kind, *operands[:at], other, *operands[at + 1 :], parameters=parameters)


def _term(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, _ = graph.nodes[node]
    whole = [
        o for o in operands if graph.is_floating(o) and graph.shape(o) == graph.shape(node)
    ] if kind in ("add", "sub") else []  # fmt: skip
    return random.choice(whole) if whole else None


TAKEN_FOR = {
    "sin": "cos", "cos": "sin", "tanh": "sigmoid", "sigmoid": "tanh", "exp": "tanh", "log": "abs", "sqrt": "abs",
    "relu": "abs", "abs": "relu", "sign": "abs", "mul": "add", "add": "mul", "div": "mul", "sub": "add",
    "mean": "sum", "sum": "mean",
}  # fmt: skip


def _function(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, parameters = graph.nodes[node]
    if kind not in TAKEN_FOR or any(graph.is_number(o) for o in operands[:1]):
        return None
    return graph.add(TAKEN_FOR[kind], *operands, parameters=parameters)


def _number(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, parameters = graph.nodes[node]
    places = [at for at, o in enumerate(operands) if graph.nodes[o].kind == "number"]
    if not places or kind in ("ge", "gt", "le", "lt"):
        return None
    at = random.choice(places)
    (text,) = graph.nodes[operands[at]].parameters
    other = "0.1" if text == "$a" else "3" if text.startswith("$") else f"({text} + 1)"
    return graph.add(
        kind, *operands[:at], graph.number(other), *operands[at + 1 :], parameters=parameters
    )


def _side(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, _ = graph.nodes[node]
    other = {"ge": "lt", "gt": "le", "le": "gt", "lt": "ge"}.get(kind)
    return None if other is None else graph.add(other, *operands)


def _transposed(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, _ = graph.nodes[node]
    if kind == "matmul" and all(len(graph.shape(o)) == 2 for o in operands):
        return graph.add("T", node)
    return operands[0] if kind == "T" else None


def _one_row(graph: TensorGraph, node: int, random: Random, others: list[int]) -> int | None:
    kind, operands, parameters = graph.nodes[node]
    if kind == "sum" and parameters[:1] == ("0",) and len(graph.shape(operands[0])) == 2:
        return graph.add("getitem", *operands, parameters=("0",))
    return None


ARITHMETIC: dict[str, Change] = {
    "lost factor": _lost_factor,
    "wrong sign": _sign,
    "wrong sum": _sum,
    "wrong operand": _operand,
    "lost term": _term,
    "wrong function": _function,
    "wrong number": _number,
    "wrong side of the kink": _side,
    "transposed": _transposed,
    "one row for all": _one_row,
}


def changed(made: FunctionProgram, kind: str, random: Random, ahead: bool) -> FunctionProgram:
    """The program with one node of backward, or of forward, changed. Raises NoPlace."""
    graph, change = made.graph, ARITHMETIC[kind]
    fixed = set() if ahead else set(made.graph.above([made.result]))
    roots = [made.result] if ahead else list(made.gradients.values())
    nodes = [n for n in graph.above(roots) if graph.nodes[n].operands and n not in fixed]
    others = [*made.leaves.values(), *fixed, *nodes, *([] if ahead else [made.grad_output])]
    others = [n for n in dict.fromkeys(others) if graph.is_floating(n)]
    random.shuffle(nodes)
    for node in nodes:
        fitting = [o for o in others if node not in graph.above([o])]
        try:
            stand_in = change(graph, node, random, fitting)
        except (RuntimeError, IndexError, TypeError, ValueError):
            continue
        if stand_in is None or stand_in == node:
            continue
        try:
            moved = replaced(graph, roots, node, stand_in)
        except (RuntimeError, IndexError, TypeError, ValueError):
            continue
        if ahead:
            return made._replace(result=moved[0])
        return made._replace(gradients=dict(zip(made.gradients, moved, strict=True)))
    raise NoPlace(kind)


def replaced(graph: TensorGraph, roots: list[int], node: int, stand_in: int) -> list[int]:
    """The roots, made anew with a node in the place of another. Raises what torch raises."""
    made = {node: stand_in}
    for at in graph.above(roots):
        kind, operands, parameters = graph.nodes[at]
        if at not in made and operands:
            moved = tuple(made.get(o, o) for o in operands)
            made[at] = at if moved == operands else graph.add(kind, *moved, parameters=parameters)
    return [made.get(root, root) for root in roots]
