"""A recording as arithmetic on single numbers: one node for each number that an op calculates.

Each tensor is taken for a tensor of the positions of its nodes. What only moves data (views, stack,
index, copies, also in place) is then the very op of torch's, run on positions; what calculates has
a rule in `scalar_rules`, by name. Tensors of integers and of truth values that depend on no float
are numbers, not nodes: labels, ranges, one-hot rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ..model import Arg, Items, Op, Recording, Ref
from ..trace.calls import REFUSALS, NotReplayable, callable_of, constant, decoded
from ..trace.graph import fill_of, op_name
from ..trace.op_table import is_pointwise, row_of
from ..trace.replay import WIDENED
from .scalar_nodes import MAX_NODES, Node, NodeTable, NotLowered, Numbers
from .scalar_rules import MOVES, RULES

CASTS = frozenset({"_to_copy", "to"})
FLOATS = frozenset({"float32", "float64"})


class Lowering(NodeTable):
    """The walk over the ops of a recording, whose leaves have the `names`. An op without a rule is
    a function of all that it reads."""

    def __init__(self, recording: Recording, names: Sequence[str]) -> None:
        super().__init__()
        self._recording = recording
        self._values: dict[int, torch.Tensor] = {}
        self._plain: set[int] = set()
        """Values that are numbers, not nodes."""
        self._leaves = [self._add(Node("leaf", name=name)) for name in names]

    def ends(self) -> dict[str, int]:
        """The first node of each output that the recording has."""
        return {
            name: int(self.nodes_of(slot.value).flatten()[slot.element or 0])
            for name, slot in self._recording.outputs.items()
        }

    def walk(self) -> None:
        """Takes all ops apart. Raises NotLowered for too many numbers."""
        self._place_leaves()
        for position, op in enumerate(self._recording.ops):
            self._step(op, position)

    def _place_leaves(self) -> None:
        """Nodes for what is there before the first op."""
        for number, value in enumerate(self._recording.values):
            if value.origin in ("weight", "input"):
                leaves = [self._leaves[value.leaf + at] for at in range(math.prod(value.shape))]
                self._values[number] = torch.tensor(leaves).reshape(value.shape)
            elif value.origin == "foreign" and len(value.data) == math.prod(value.shape):
                self._set_numbers(number, constant(value, WIDENED))

    def _step(self, op: Op, position: int) -> None:
        """What one op makes of what is there."""
        if op.target.startswith("python::"):
            return
        try:
            self._run(op, position)
        except (*REFUSALS, NotReplayable):
            self._opaque(op)

    def read(self, value: int, at: int) -> torch.Tensor:
        """The nodes of a value that is operand number `at`, of the op or in its list."""
        del at
        return self._values[value]

    def _opaque(self, op: Op) -> None:
        shape = self._recording.values[(op.outputs or op.writes)[0]].shape
        read = [n for value in op.reads for n in self.nodes_of(value).flatten().tolist()]
        flat = [self.node("call", read, name=f"{op.target}|{i}") for i in range(math.prod(shape))]
        self._put(op, (torch.tensor(flat, dtype=torch.long).reshape(shape),))

    # -- ops -------------------------------------------------------------------------------

    def nodes_of(self, value: int) -> torch.Tensor:
        """The nodes of a tensor, as it is at last."""
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
        shape, dtype = values[outputs[0]].shape, values[outputs[0]].dtype
        if math.prod(shape) > MAX_NODES:
            raise NotLowered("too many numbers")
        floats = [v for v in op.reads if v not in self._plain]
        floating = dtype.startswith(("float", "bfloat"))
        number = fill_of(op) if row.is_filling and floating else None
        rule = RULES.get(name.removesuffix("_"))
        if values[outputs[0]].origin == "constant":
            numbers = constant(values[outputs[0]], WIDENED)
            self._put(op, (self.numbers(numbers) if floating else numbers,), plain=not floating)
        elif isinstance(number, int | float):
            self._put(op, (self.numbers(torch.full(shape, number)),))
        elif not floats and not floating:  # of numbers alone: torch's own answer
            self._put(op, _parts(self._called(op, position)), plain=True)
        elif rule is not None:
            # what is a sum of one number is another tensor all the same
            self._put(
                op,
                [
                    result.clone()
                    for result in _parts(rule(self, *self._operands(op), **self._named(op)))
                ],
            )
        elif (
            name in MOVES
            or row.kind in ("view", "copy", "pick", "overwrite", "own")
            or isinstance(number, Ref)
        ):
            self._put(op, _parts(self._called(op, position)))
        elif is_pointwise(op.target):
            label = "|".join([name, *(repr(a) for a in op.args if not isinstance(a, Ref))])
            operands = zip(op.args, self._operands(op), strict=True)
            self._put(
                op,
                (
                    self.call(
                        label, *(self.nodes_for(o) for a, o in operands if isinstance(a, Ref))
                    ),
                ),
            )
        elif "counted" in row.traits and not op.reads:  # `linspace` of numbers
            self._put(op, (self.numbers(self._called(op, position)),))
        elif row.kind == "place" and not op.reads:
            self._put(op, (torch.full(shape, self.node("call", name="room")),))
        else:
            raise NotLowered(op.target)

    def _put(self, op: Op, results: Sequence[torch.Tensor], plain: bool = False) -> None:
        if op.writes:
            target = self._values[op.writes[0]]
            if results[0] is not target:
                target.copy_(
                    results[0].reshape(target.shape)
                    if results[0].numel() == target.numel()
                    else results[0]
                )
            results = (target, *results[1:])
        for number, tensor in zip(op.outputs, results, strict=False):
            self._values[number] = tensor
            if plain:
                self._plain.add(number)

    def _called(self, op: Op, position: int) -> Any:
        """torch's op itself, on positions, and on numbers where an operand is one."""
        name = op_name(op)
        if op.target == "torch::tensor":
            return self._assembled(self._operands(op)[0])
        if name in CASTS:
            nodes, dtype = (
                self._assembled(self._operands(op)[0]),
                self._recording.values[op.outputs[0]].dtype,
            )
            return nodes if dtype in FLOATS else self.call(f"cast|{dtype}", nodes)
        if name == "copy_":
            return self.nodes_for(self._operand(op.args[1], 1))
        args = _unwrapped(self._operands(op))
        kwargs = {
            key: _unwrapped(self._operand(arg)) for key, arg in op.kwargs.items() if key != "dtype"
        }
        result = callable_of(op, position)(*args, **kwargs)
        return result.clone() if op.target == "torch::element" else result

    def _operands(self, op: Op) -> list[Any]:
        """The operands of a rule: nodes for tensors of floats and for numbers that are put together
        with these, numbers for the rest."""
        return [self._operand(arg, at) for at, arg in enumerate(op.args)]

    def _operand(self, arg: Arg, at: int = 0) -> Any:
        if isinstance(arg, Ref):
            return (
                Numbers(self._values[arg.value])
                if arg.value in self._plain
                else self.read(arg.value, at)
            )
        if isinstance(arg, Items):
            return [self._operand(item, at) for at, item in enumerate(arg.items)]
        return decoded(arg, {}, WIDENED)

    def _named(self, op: Op) -> dict[str, Any]:
        return {
            key: self._operand(arg)
            for key, arg in op.kwargs.items()
            if key not in ("dtype", "out", "rounding_mode") or (key == "rounding_mode" and arg)
        }

    def _assembled(self, parts: Any) -> torch.Tensor:
        if isinstance(parts, list):
            return torch.stack([self._assembled(part) for part in parts])
        return self.nodes_for(parts).clone()


def _unwrapped(operand: Any) -> Any:
    """An operand of what moves data: positions, or numbers as they are."""
    if isinstance(operand, list):
        return [_unwrapped(item) for item in operand]
    return operand.tensor if isinstance(operand, Numbers) else operand


def _parts(result: Any) -> Sequence[torch.Tensor]:
    return result if isinstance(result, list | tuple) else (result,)
