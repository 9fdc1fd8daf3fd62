"""What a pass calculates, in which way, in which order, and when it lets go: the traits by which two
passes of one task are held against each other.

A value is known by its residues at one point of a prime field (`trace.field`), so that neither its name nor
the spelling of the op that made it matters, and one odd step does not make all that follows odd. What is not
rational there is known by its function and the residues of its operands.
"""

from __future__ import annotations

import functools
import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ..model import Op, Recording
from ..model.verdict import Trait
from .field import ARITHMETIC, MAX_EXPONENT, PRIME, power, residue
from .graph import DataFlow, computes, op_name
from .lowering import walk
from .scalar_nodes import Node

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
    walked = walk(flow)
    residues = _residues(walked.nodes)

    @functools.cache
    def known(nodes: tuple[int, ...]) -> int:
        return _hash([residues[node] for node in nodes]) if nodes else START

    lives = {life.born: life for life in recording.lives}
    calculating = [p for p, op in enumerate(recording.ops) if _calculates(flow, p, op)]
    wanted = set(calculating)
    found: list[Trait] = []
    before = START
    for position, op in enumerate(recording.ops):
        if position not in wanted:
            continue
        if position not in walked.makes:  # there was no room for it
            break
        value = known(walked.makes[position])
        operands = [repr(float(arg)) for arg in op.args if isinstance(arg, int | float)]
        operands += [str(known(nodes)) for nodes in walked.reads[position]]
        life = lives.get(position)
        kept: int | None = None
        if life is not None and life.dead_by is not None:
            kept = bisect_left(calculating, life.dead_by) - bisect_right(calculating, life.last_use)
            kept = max(0, kept)
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


def _residues(nodes: Sequence[Node]) -> list[int]:
    """What each of the nodes is at a point that is always the same."""
    made: list[int] = []
    for node in nodes:
        made.append(_residue(node, [made[operand] for operand in node.operands]))
    return made


def _residue(node: Node, operands: Sequence[int]) -> int:
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
