"""A task's forward graph as named nodes: of a variant of scalars by its steps, of a task of matrices by what torch
runs at its first sizes."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, NamedTuple

from pytest_backprop.exercises.functions.bank import Variant

from .naming import is_node, value_names

Role = Literal["input", "weight", "number", "op"]


class GraphNode(NamedTuple):
    """A value of the graph: its name, what makes it (`Mul`, `mm`), the names of its operands, its shape, and the
    line of the task where that is known."""

    name: str
    role: Role
    op: str
    operands: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    line: int = 0


def nodes_of(variant: Variant) -> list[GraphNode]:
    """The nodes, each behind its operands; the last is the value. Weights are what gradients are asked of."""
    return _of_matrices(variant) if variant.leaves else _of_scalars(variant)


def _of_scalars(variant: Variant) -> list[GraphNode]:
    names = value_names(variant)
    used = {operand for step in variant.program for operand in step.operands}
    found: dict[str, GraphNode] = {}
    for position, (step, name) in enumerate(zip(variant.program, names, strict=True)):
        if is_node(step):
            op = step.name if step.code == "call" else step.code
            operands = tuple(names[operand] for operand in step.operands)
            found.setdefault(name, GraphNode(name, "op", op.capitalize(), operands, (), step.line))
        elif step.code == "load":
            found.setdefault(name, GraphNode(name, _role(variant, name), ""))
        elif position in used:
            found.setdefault(name, GraphNode(name, "number", "Const"))
    return list(found.values())


def _role(variant: Variant, name: str) -> Role:
    return "weight" if name in variant.weights else "input"


def _of_matrices(variant: Any) -> list[GraphNode]:
    import torch

    from pytest_backprop.exercises.adjoint.tensors import tensors
    from pytest_backprop.exercises.functions.scenarios import generic_points
    from pytest_backprop.model import stretches
    from pytest_backprop.trace.codes import AnyCodes
    from pytest_backprop.trace.graph import op_name
    from pytest_backprop.trace.record import Recorder
    from pytest_backprop.trace.stack import StackReader

    point = generic_points(variant, 0, 1)
    given = tensors(variant.leaves, point.weights[0], point.inputs[0])
    recorder = Recorder(StackReader(AnyCodes(), lambda *_: None), lambda _: None)
    for (_, places), tensor in zip(stretches(variant.leaves), given, strict=True):
        recorder.leaf(tensor, "input", places or [0] * tensor.numel())
    value = getattr(variant.task, "shown", variant.task.call)
    with torch.no_grad():
        result = recorder.run(lambda: value(variant.leaves, given))
    recording = recorder.finish(result, ())
    values = recording.values
    names = {at: leaf.name for at, leaf in enumerate(variant.leaves)}
    found = [
        GraphNode(leaf.name, "weight" if leaf.kind == "weight" or leaf.requires_grad else "input", "",
                  shape=leaf.shape)
        for leaf in variant.leaves
    ]  # fmt: skip
    counts: Counter[str] = Counter(names.values())
    for op in recording.ops:
        for made in op.outputs:
            if made in names:
                continue
            kind = op_name(op)
            counts[kind] += 1
            name = kind if counts[kind] == 1 else f"{kind}_{counts[kind] - 1}"
            names[made] = "y" if made == recording.result and "y" not in counts else name
            operands = tuple(dict.fromkeys(names[v] for v in op.reads if v in names))
            found.append(GraphNode(names[made], "op", kind, operands, values[made].shape))
    return _leading_to(names[recording.result] if recording.result is not None else "", found)


def _leading_to(result: str, nodes: list[GraphNode]) -> list[GraphNode]:
    """The nodes from which data reaches the result."""
    needed = {result}
    kept = []
    for node in reversed(nodes):
        if node.name in needed:
            needed.update(node.operands)
            kept.append(node)
    return kept[::-1]
