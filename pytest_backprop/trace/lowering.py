"""A recording as arithmetic on single numbers: one node for each number that an op calculates.

Each tensor is taken for a tensor of the positions of its nodes. What only moves data (views, stack,
index, copies, also in place) is then the very op of torch's, run on positions; what calculates has a
rule here, by name. Tensors of integers and of truth values that depend on no float are numbers, not
nodes: labels, ranges, one-hot rows. Nodes that are the same are one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from ..model import Items, Op, Recording, Ref
from .calls import NotReplayable, callable_of, constant, decoded
from .graph import DataFlow, fill_of, op_name
from .op_table import row_of
from .replay import WIDENED
from .scalar_nodes import Node, NodeTable, NotLowered, Numbers
from .scalar_rules import MOVES, POINTWISE, RULES

CASTS = frozenset({"_to_copy", "to"})
FLOATS = frozenset({"float32", "float64"})


class Lowered(NamedTuple):
    """Nodes, each after its operands, and the nodes of the result and of each gradient; None where the
    recording has none."""

    nodes: list[Node]
    result: tuple[int, ...] | None
    gradients: tuple[int | None, ...]


def lower(recording: Recording, flow: DataFlow) -> Lowered:
    """The ops of a recording that reach its result or a gradient. Raises NotLowered."""
    return _Lowering(recording, flow).lowered()


class _Lowering(NodeTable):
    def __init__(self, recording: Recording, flow: DataFlow) -> None:
        super().__init__()
        self._recording = recording
        self._values: dict[int, torch.Tensor] = {}
        self._plain: set[int] = set()
        """Values that are numbers, not nodes."""
        needed, _ = flow.with_views(flow.reached | flow.allocations(flow.reached))
        self._ops = sorted(needed)

    def lowered(self) -> Lowered:
        recording = self._recording
        for number, value in enumerate(recording.values):
            if value.origin in ("weight", "input"):
                leaves = [self.node("leaf", number=i, name=value.origin) for i in value.leaf]
                self._values[number] = torch.tensor(leaves).reshape(value.shape)
            elif value.origin == "foreign" and len(value.data) == math.prod(value.shape):
                self._set_numbers(number, constant(value, WIDENED))
        for position in self._ops:
            op = recording.ops[position]
            if op.target.startswith("python::"):
                continue
            try:
                self._run(op, position)
            except NotLowered:
                raise
            except (NotReplayable, RuntimeError, LookupError, TypeError, ValueError,
                    NotImplementedError) as error:  # fmt: skip
                raise NotLowered(f"{op.target}: {error}"[:200]) from error
        result = None
        if recording.result is not None:
            result = tuple(self._nodes_of(recording.result).flatten().tolist())
        gradients = tuple(
            None if entry is None else int(self._nodes_of(entry[0]).flatten()[entry[1]])
            for entry in recording.gradients
        )
        return Lowered(self.nodes, result, gradients)

    # -- ops -------------------------------------------------------------------------------

    def _nodes_of(self, value: int) -> torch.Tensor:
        tensor = self._values[value]
        return self.numbers(tensor) if value in self._plain else tensor

    def _set_numbers(self, value: int, tensor: torch.Tensor) -> None:
        if tensor.is_floating_point():
            self._values[value] = self.numbers(tensor)
        else:
            self._values[value] = tensor
            self._plain.add(value)

    def _run(self, op: Op, position: int) -> None:
        values = self._recording.values
        name = op_name(op)
        row = row_of(name)
        outputs = op.outputs or op.writes[:1]
        if op.target == "torch::constant":
            self._set_numbers(outputs[0], constant(values[outputs[0]], WIDENED))
            return
        floats = [v for v in op.reads if v not in self._plain]
        floating = values[outputs[0]].dtype.startswith(("float", "bfloat"))
        if row.scalar == "fill" and floating:
            number = fill_of(op)
            if isinstance(number, int | float):
                made = torch.full(values[outputs[0]].shape, self.node("number", number=number))
                self._put(op, (made,))
                return
        if not floats and not floating:  # of numbers alone: torch's own answer
            self._put(op, _parts(self._called(op, position)), plain=True)
            return
        rule = RULES.get(name.removesuffix("_"))
        if rule is not None:
            self._put(op, _parts(rule(self, *self._operands(op), **self._named(op))))
        elif name in MOVES or row.kind in ("view", "copy", "pick", "overwrite", "own"):
            self._put(op, _parts(self._called(op, position)))
        elif row.kind == "pointwise" or name.removesuffix("_") in POINTWISE:
            label = "|".join([name, *(repr(a) for a in op.args if not isinstance(a, Ref))])
            self._put(op, (self.call(label, *(self._nodes_of(v) for v in op.reads)),))
        elif row.kind == "place":
            made = torch.full(values[outputs[0]].shape, self.node("call", name="room"))
            self._put(op, (made,))
        else:
            raise NotLowered(op.target)

    def _put(self, op: Op, results: Sequence[torch.Tensor], plain: bool = False) -> None:
        if op.writes:
            target = self._values[op.writes[0]]
            if results[0] is not target:
                target.copy_(results[0].reshape(target.shape) if
                             results[0].numel() == target.numel() else results[0])  # fmt: skip
            results = (target, *results[1:])
        for number, tensor in zip(op.outputs, results, strict=False):
            self._values[number] = tensor
            if plain:
                self._plain.add(number)

    def _called(self, op: Op, position: int) -> Any:
        """torch's op itself, on positions, and on numbers where an operand is one."""
        if op.target == "torch::tensor":
            return self._assembled(self._operands(op)[0])
        name = op_name(op)
        if name in CASTS:
            nodes, dtype = self._nodes_of(op.reads[0]), self._recording.values[op.outputs[0]].dtype
            return nodes.clone() if dtype in FLOATS else self.call(f"cast|{dtype}", nodes)
        args = [self._moved(arg) for arg in op.args]
        kwargs = {key: self._moved(arg) for key, arg in op.kwargs.items() if key != "dtype"}
        if name == "copy_":
            return self._nodes_of(op.reads[-1]) if isinstance(op.args[1], Ref) else args[1]
        return callable_of(op, position)(*args, **kwargs)

    def _moved(self, arg: Any) -> Any:
        """An operand of what moves data: positions or numbers as they are."""
        return decoded(arg, self._values, WIDENED)

    def _operands(self, op: Op) -> list[Any]:
        """The operands of a rule: nodes for tensors of floats and for numbers that are put together
        with these, numbers for the rest."""
        return [self._operand(arg) for arg in op.args]

    def _operand(self, arg: Any) -> Any:
        if isinstance(arg, Ref):
            tensor = self._values[arg.value]
            return Numbers(tensor) if arg.value in self._plain else tensor
        if isinstance(arg, Items):
            return [self._operand(item) for item in arg.items]
        return arg

    def _named(self, op: Op) -> dict[str, Any]:
        return {
            key: self._operand(arg)
            for key, arg in op.kwargs.items()
            if key not in ("dtype", "out", "rounding_mode") or (key == "rounding_mode" and arg)
        }

    def _assembled(self, parts: Any) -> torch.Tensor:
        if isinstance(parts, list):
            return torch.stack([self._assembled(part) for part in parts])
        return self.nodes_for(parts)


def _parts(result: Any) -> Sequence[torch.Tensor]:
    return result if isinstance(result, list | tuple) else (result,)
