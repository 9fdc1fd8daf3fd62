"""What a pass calculates, in which way, in which order, and when it lets go: the traits by which two
passes of one task are held against each other.

A value is known by its residues at one point of a prime field (`trace.field`), so that neither its name nor
the spelling of the op that made it matters, and one odd step does not make all that follows odd. What is not
rational there is known by its function and the residues of its operands.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import torch

from ..model import Op, Recording
from ..model.trait import Trait
from .exact import ARITHMETIC
from .field import MAX_EXPONENT, PRIME, power, residue
from .graph import DataFlow, computes, op_name
from .lowering import Lowering
from .scalar_nodes import Node, NotLowered

TRAITS_LIMIT = 400
"""Values of one pass; the longest variant has a quarter of that."""
START = 0
"""Stands before the first value."""


def traits(recording: Recording, flow: DataFlow) -> tuple[Trait, ...]:
    """The traits of a pass, in order of execution, at most `TRAITS_LIMIT`; places are `Op.site`'s, with the
    unit for the cell.

    A recording is not trusted: one that no run can have made may raise LookupError, ValueError or
    TypeError.
    """
    walk = _Residues(recording)
    lives = {life.born: life for life in recording.lives}
    calculating = [p for p, op in enumerate(recording.ops) if _calculates(flow, p, op)]
    wanted = set(calculating)
    found: list[Trait] = []
    before = START
    for position, op in enumerate(recording.ops):
        if op.context == "python":
            continue
        try:
            operands = walk.read_by(op)
            value = walk.made_by(op, position)
        except NotLowered:  # too many numbers
            break
        if position not in wanted:
            continue
        life = lives.get(position)
        kept: int | None = None
        if life is not None and life.dead_by is not None:
            kept = sum(life.last_use < p < life.dead_by for p in calculating)
        span = op.site or next(
            (span for span in reversed(recording.statements[op.statement].spans) if span), None
        )
        found.append(
            Trait(
                None if span is None else span.unit,
                None if span is None else span.line,
                value,
                _hash(value, op_name(op).rstrip("_"), sorted(operands)),
                _hash(before, value),
                _hash(value, kept),
            )
        )
        before = value
        if len(found) == TRAITS_LIMIT:
            break
    return tuple(found)


def _calculates(flow: DataFlow, position: int, op: Op) -> bool:
    """Whether the student's own code makes new numbers by it."""
    return (
        op.context == "student"
        and position not in flow.views
        and op.target.startswith("aten::")
        and bool(op.reads)
        and computes(op_name(op))
    )


def _hash(*parts: object) -> int:
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big")


class _Residues(Lowering):
    """The nodes of a recording, each with its residue at a point that is always the same."""

    max_nodes = 4_000

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self._residues: list[int] = []
        self.place_leaves()

    def read_by(self, op: Op) -> list[str]:
        """What an op reads: of each tensor its hash, and the numbers it was given."""
        numbers = [arg for arg in op.args if isinstance(arg, int | float)]
        return [repr(float(n)) for n in numbers] + [str(self._hash_of(v)) for v in op.reads]

    def made_by(self, op: Op, position: int) -> int:
        """The hash of what an op makes; it must be asked of every op, in order."""
        self.step(op, position)
        touched = op.outputs or op.writes[:1]
        return self._hash_of(touched[0]) if touched else START

    def _hash_of(self, value: int) -> int:
        return _hash([self._residues[n] for n in self._nodes_of(value).flatten().tolist()])

    def opaque(self, op: Op, error: Exception) -> None:
        """An op without a rule is a function of all that it reads."""
        if len(self.nodes) >= self.max_nodes:
            raise NotLowered("too many numbers")
        name = f"{op.target}|{self.read_by(op)}"
        for number in (*op.outputs, *op.writes):
            shape = self._recording.values[number].shape
            if math.prod(shape) > self.max_nodes:
                raise NotLowered("too many numbers")
            self._values[number] = torch.full(shape, self.node("call", name=name))

    def _add(self, node: Node) -> int:
        at = super()._add(node)
        self._residues.append(self._residue(node, [self._residues[n] for n in node.operands]))
        return at

    def _residue(self, node: Node, operands: Sequence[int]) -> int:
        try:
            if node.code == "number":
                return residue(node.number)
            if node.code == "pow" and abs(node.number) <= MAX_EXPONENT:
                if node.number == int(node.number):
                    return power(operands[0], int(node.number))
            elif node.code in ARITHMETIC:
                return ARITHMETIC[node.code].value(*operands) % PRIME
        except (ArithmeticError, ValueError):
            pass  # a pole, inf or NaN: known by how it is made
        return _hash(node.code, node.name, node.number, operands)
