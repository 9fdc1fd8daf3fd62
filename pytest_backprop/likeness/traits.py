"""What a pass calculates, in which way, in which order, and when it lets go: the traits by which
two passes of one task are held against each other.

A value is known by its numbers at one point, rounded. So neither its name nor the spelling of the
op that made it matters, and one odd step does not make all that follows odd. What is no number
there is known by the op and its operands."""

from __future__ import annotations

import hashlib
import logging
import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator

import torch
from msgspec.structs import replace

from ..judging.case import PassCase
from ..model import Op, Recording
from ..model.verdict import Trait
from ..trace.calls import DISTRUST, NotReplayable, refusals
from ..trace.graph import DataFlow, computes, op_name
from ..trace.replay import WIDENED, Program

_LOG = logging.getLogger(__name__)
TRAITS_LIMIT = 400
"""Values of one pass; the longest variant has a quarter of that."""
TELLING = 1_000
"""Numbers by which a tensor is known: its first."""
START = 0
"""Stands before the first value."""


def traits_of(case: PassCase) -> tuple[Trait, ...]:
    """The traits of a submission's pass, at the reader's lines; none where it cannot be
    followed."""
    assert case.submission is not None
    path = case.path
    cells = [unit.cell for unit in case.submission.units]
    try:
        by_unit = traits(case.recording, case.flow, None if path is None else path.program)
    except DISTRUST:
        _LOG.debug("a pass could not be followed", exc_info=True)
        return ()
    return tuple(
        replace(trait, cell=cells[trait.cell])
        if trait.cell is not None and 0 <= trait.cell < len(cells)
        else replace(trait, cell=None, line=None)
        for trait in by_unit
    )


def traits(
    recording: Recording, flow: DataFlow, program: Program | None = None
) -> tuple[Trait, ...]:
    """The traits of a pass, in order of execution, at most `TRAITS_LIMIT`; places are `Op.site`'s,
    with the unit for the cell. What runs it may be there already. Raises DISTRUST."""
    lives = {life.born: life for life in recording.lives}
    calculating = [p for p, op in enumerate(recording.ops) if _calculates(flow, p, op)]
    collected: list[Trait] = []
    before = START
    if program is not None and program.runs.issuperset(calculating):
        run = _RunAtOnePoint(program)
    else:
        try:
            run = _RunAtOnePoint(Program(recording, flow, calculating))
        except NotReplayable:  # what nothing reads is nothing that a replay runs
            run = _RunAtOnePoint(program or Program(recording, flow))
    for position, operands, value in run.identities({*calculating}):
        if len(collected) == TRAITS_LIMIT:
            break
        op = recording.ops[position]
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


class _RunAtOnePoint(Program):
    """A pass at a point that is always the same."""

    def __init__(self, program: Program) -> None:
        vars(self).update(vars(program))

    def identities(self, asked: Collection[int]) -> Iterator[tuple[int, list[str], int]]:
        """Of each op that is asked for, and that a replay runs, the position, the operands, and
        what it gives, known by their numbers. Raises NotReplayable."""
        values = self._recording.values
        ends = [v.leaf + math.prod(v.shape) for v in values]
        generator = torch.Generator().manual_seed(0)
        point = 0.1 + torch.rand(max(ends, default=0), generator=generator, dtype=torch.float64)
        names: dict[int, int] = {}
        identities: dict[int, int] = {}

        def identity(number: int) -> int:
            if number not in identities:
                first = tensors[number].flatten()[:TELLING].to(torch.float32)
                numbers = (first + 0.0).tolist()  # -0.0 is 0.0
                is_number = all(map(math.isfinite, numbers))
                identities[number] = _hash(numbers) if is_number else names.get(number, START)
            return identities[number]

        with refusals(), torch.no_grad():
            tensors = self._leaves(point, WIDENED)
            for step in self._steps:
                op = step.op
                is_asked = step.position in asked
                operands = [repr(float(arg)) for arg in op.args if isinstance(arg, int | float)]
                operands += [str(identity(n) if is_asked else names.get(n)) for n in op.reads]
                results = self._results(step, tensors, WIDENED)
                tensors.update(zip(op.outputs, results, strict=False))
                if op.writes:
                    written = {values[number].storage for number in op.writes}
                    for number in [n for n in identities if values[n].storage in written]:
                        del identities[number]
                for number in (*op.outputs, *op.writes):
                    names[number] = _hash(op.target, operands)
                touched = op.outputs or op.writes[:1]
                if is_asked:
                    yield step.position, operands, identity(touched[0]) if touched else START


def _hash(*parts: object) -> int:
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big")
