"""What a pass calculates, in which way, in which order, and when it lets go: the traits by which
two passes of one task are held against each other.

A value is known by its residues at one point of a prime field (`repair.field`). So neither its name
nor the spelling of the op that made it matters, and one odd step does not make all that follows
odd. What is not rational there is known by its function and the residues of its operands.
"""

from __future__ import annotations

import functools
import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec.structs import replace

from ..judging.case import PassCase
from ..model import Op, Recording
from ..model.verdict import Trait
from ..repair.field import ARITHMETIC, MAX_EXPONENT, PRIME, power, residue
from ..repair.lowering import walk
from ..repair.scalar_nodes import Node
from ..trace.graph import DataFlow, computes, op_name

TRAITS_LIMIT = 400
"""Values of one pass; the longest variant has a quarter of that."""
START = 0
"""Stands before the first value."""
DISTRUST = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a recording that no run can have made may raise."""


def traits_of(case: PassCase) -> tuple[Trait, ...]:
    """The traits of a submission's pass, at the reader's lines; none where it cannot be
    followed."""
    assert case.submission is not None
    cells = [unit.cell for unit in case.submission.units]
    try:
        by_unit = traits(case.recording, case.flow)
    except DISTRUST:
        return ()
    return tuple(
        replace(trait, cell=cells[trait.cell])
        if trait.cell is not None and 0 <= trait.cell < len(cells)
        else replace(trait, cell=None, line=None)
        for trait in by_unit
    )


def traits(recording: Recording, flow: DataFlow) -> tuple[Trait, ...]:
    """The traits of a pass, in order of execution, at most `TRAITS_LIMIT`; places are `Op.site`'s,
    with the unit for the cell. Raises DISTRUST."""
    lowered = walk(flow)
    residues: list[int] = []
    for node in lowered.nodes:
        residues.append(_residue(node, [residues[operand] for operand in node.operands]))

    @functools.cache
    def identity(nodes: tuple[int, ...]) -> int:
        return _hash([residues[node] for node in nodes]) if nodes else START

    lives = {life.born: life for life in recording.lives}
    calculating = [p for p, op in enumerate(recording.ops) if _calculates(flow, p, op)]
    collected: list[Trait] = []
    before = START
    for position in calculating[:TRAITS_LIMIT]:
        if position not in lowered.makes:  # there was no room for it
            break
        op = recording.ops[position]
        value = identity(lowered.makes[position])
        operands = [repr(float(arg)) for arg in op.args if isinstance(arg, int | float)]
        operands += [str(identity(nodes)) for nodes in lowered.reads[position]]
        life = lives.get(position)
        kept: int | None = None
        if life is not None and life.dead_by is not None:
            kept = bisect_left(calculating, life.dead_by) - bisect_right(calculating, life.last_use)
            kept = max(0, kept)
        span = op.site or next(
            (span for span in reversed(recording.statements[op.statement].spans) if span), None
        )
        collected.append(
            Trait(
                cell=None if span is None else span.unit,
                line=None if span is None else span.line,
                value=value,
                way=_hash(value, op_name(op).rstrip("_"), sorted(operands)),
                order=_hash(before, value),
                drop=_hash(value, kept),
            )
        )
        before = value
    return tuple(collected)


def _calculates(flow: DataFlow, position: int, op: Op) -> bool:
    """Whether the student's own code makes new numbers by it."""
    return (
        op.context == "student"
        and position not in flow.views
        and op.target.startswith("aten::")
        and bool(op.reads)
        and computes(op_name(op))
    )


def _residue(node: Node, operands: Sequence[int]) -> int:
    """What a node is at a point that is always the same."""
    try:
        if node.code == "number":
            return residue(node.number)
        if node.code == "pow" and abs(node.number) <= MAX_EXPONENT:
            if node.number == int(node.number):
                return power(operands[0], int(node.number))
        elif node.code in ARITHMETIC:
            return ARITHMETIC[node.code](*operands) % PRIME
    except (ArithmeticError, ValueError):
        pass  # a pole, inf or NaN: known by how it is made
    return _hash(node.code, node.name, node.number, operands)


def _hash(*parts: object) -> int:
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big")
