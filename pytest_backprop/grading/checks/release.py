"""`release`: no intermediate is alive when a later statement than its last use runs an op."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ...exercises.intermediate_gradients.facts import IntermediateFacts
from ...messages import say, say_count
from ...model import CheckResult, CheckRules, Finding, Life, Op, Recording
from ...submission.release_places import ReleasePlace, release_place
from ...trace.copies import copies
from ...trace.graph import DataFlow, op_name
from ...trace.holders import MAX_NAMES
from ...trace.lateness import Late, late_values
from ...trace.watched import COPIES
from ..outside_memory import NotMeasured, Outside
from .backward import attempted
from .case import Case, PassCase
from .credit import credited
from .kept import RESET, judge_call, judge_reset

ID = "release"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing outlives the statement of its last use."""
    if not isinstance(case, PassCase):
        return CheckResult(ID, "failed", 0.0, say("the pass did not run to its end"), "observed")
    recording, flow = case.recording, case.flow
    missing = attempted(case)
    if missing is not None:
        return CheckResult(ID, "failed", 0.0, missing, "observed")
    if isinstance(case.facts, IntermediateFacts):
        return judge_call(ID, case, rules)
    if RESET in dict(recording.phases):
        return judge_reset(ID, case, rules)
    found = sorted(late_values(flow, loops=case.loops), key=lambda value: value.life.last_use)
    late = _without_rounds(recording, found)
    findings = tuple(_finding(case, value) for value in late)
    copied = _copies(recording, flow, {value.life.storage for value in found})
    hidden = 0
    if isinstance(case.outside, Outside):
        hidden = _hidden_count(case.outside, recording, flow, bool(copied))
    if isinstance(case.outside, Outside) and hidden:
        findings += (_hidden(case, case.outside._replace(hidden=hidden), copied),)
    why = _why_not_shown(case.outside)
    if why:  # numbers that the pass goes on with are not put away
        kept = [copy for copy in copied if not copy.used]
        findings += tuple(_copied(case, copy, why) for copy in kept)
        hidden += len(kept)
    peak = max(recording.live, default=0)
    told: dict[str, object] = {
        "values": len(recording.lives),
        "late": len(late),
        "peak_live": peak,
        "autograd_peak_live": case.cost.peak_live,
        "outside": case.outside.reason
        if isinstance(case.outside, NotMeasured)
        else case.outside._asdict(),
    }
    peaks = {"peak": peak, "autograd": case.cost.peak_live}
    if not findings:
        message = say(
            "everything is dropped in time; peak {peak} live values, autograd {autograd}", **peaks
        )
        return CheckResult(ID, "passed", 1.0, message, "observed", (), told)
    outcome, credit, counts = credited(rules, len(late) + hidden)
    first = findings[0].message
    message = say("{message}; peak {peak} live values, autograd {autograd}", message=first, **peaks)
    if len(findings) > 1:
        message = say_count(
            "{message} (and {count} more); peak {peak} live values, autograd {autograd}",
            "{message} (and {count} more); peak {peak} live values, autograd {autograd}",
            len(findings) - 1,
            message=first,
            **peaks,
        )
    return CheckResult(ID, outcome, credit, message, "observed", findings, told, faults=counts)


def _without_rounds(recording: Recording, late: Sequence[Late]) -> list[Late]:
    """Without those that are the same in a later round of a loop: one name that is bound anew, and not dropped, is one
    mistake."""
    first: list[Late] = []
    last: dict[object, Life] = {}
    for value in late:
        life, op = value.life, recording.ops[value.life.born]
        key = (op.site, op.name, value.drop_after)
        before = last.get(key)
        if before is None or before.dead_by is None or before.dead_by > life.born + 1:
            first.append(value)
        last[key] = life
    return first


def _finding(case: PassCase, late: Late) -> Finding:
    recording = case.recording
    made = recording.ops[late.life.born]
    used = recording.ops[late.life.last_use]
    holders = [name for name in late.life.holders if name != made.name]
    name = made.name or (holders[0] if holders else None)
    called = f"`{name}`" if name else say("the result of `{op}`", op=op_name(made))
    message = say("{value} is kept after its last use", value=called)
    if made.name is not None and holders:
        held = f"`{'`, `'.join(holders)}`"
        message = say(
            "{value} is kept after its last use, held by {names}", value=called, names=held
        )
    return Finding(
        "late-release",
        message,
        place=case.place(late.drop_after or used.site),
        name=name,
        hint=_hint(case, late),
    )


def _hint(case: PassCase, late: Late) -> str:
    """Where to drop a value, with what is to be written there if that is certain to do."""
    names = late.life.holders
    place = _place(case, late)
    if place is None:
        return say("drop it right after its last use")
    line, reader = place.end, place.reads_again
    if reader is not None:
        return say(
            "drop it right after line {line}; line {later} reads it once more, without calculating "
            "with it: read that before it is dropped",
            line=line,
            later=reader,
        )
    plain = 0 < len(names) < MAX_NAMES and all(name.isidentifier() for name in names)
    drop = " = ".join([*names, "None"])
    if not plain:
        if place.block:
            return say(
                "drop it after the block of lines {first} to {line}", first=place.block, line=line
            )
        return say("drop it right after line {line}", line=line)
    if place.statement:
        return say(
            "drop it on line {line}, right after `{statement}`: `{code}`",
            line=line,
            statement=place.statement,
            code=drop,
        )
    if place.block:
        return say(
            "drop it after the block of lines {first} to {line}: `{code}`",
            first=place.block,
            line=line,
            code=drop,
        )
    return say("drop it right after line {line}: `{code}`", line=line, code=drop)


def _place(case: PassCase, late: Late) -> ReleasePlace | None:
    recording, life = case.recording, late.life
    spans = [
        recording.statements[recording.ops[position].statement].spans[late.frames - 1]
        for position in (life.born, life.last_use, late.first_op)
        if late.frames
    ]
    places = [span for span in spans if span is not None]
    if case.submission is None or len(places) < 3 or len({span.unit for span in places}) > 1:
        return None
    maker, used, then = places
    unit = case.submission.units[maker.unit]
    return release_place(unit, maker, used, then, life.holders, late.is_in_loop)


class _Copy(NamedTuple):
    """An intermediate that left torch as a whole: the op that made it, the first look, and whether
    the pass calculates with its numbers after that."""

    made: Op
    look: Op
    used: bool


def _copies(recording: Recording, flow: DataFlow, late: Collection[int]) -> list[_Copy]:
    """Intermediates that were copied out of torch, and are not late already."""
    born = {life.storage: recording.ops[life.born] for life in recording.lives}
    left_out = flow.exempt_storages | set(late)
    return [
        _Copy(born[storage], recording.ops[copy.look], copy.last_use > copy.look)
        for storage, copy in copies(recording).items()
        if storage in born and storage not in left_out
    ]


def _hidden_count(
    outside: Outside, recording: Recording, flow: DataFlow, intermediates: bool
) -> int:
    """How many values are hidden: no more than the pass makes. Where no intermediates were copied out
    of torch, y, gradients, weights and inputs may have been, once each, and copies of those may stay."""
    kept = {life.storage for life in recording.lives} - flow.exempt_storages
    free: dict[int, int] = {}
    for op in recording.ops:
        if op.context == "python" and op_name(op) in COPIES and not intermediates:
            for value in (recording.values[v] for v in op.reads):
                free[value.storage] = math.prod(value.shape)
    return max(0, min(outside.hidden - sum(free.values()), max(1, len(kept))))


def _why_not_shown(outside: Outside | NotMeasured) -> str:
    """Why the run on long vectors does not show that copies are dropped; "" if it does, or if it
    could not be had through no fault of the submission's."""
    if isinstance(outside, NotMeasured):
        return "" if outside.ours else outside.reason
    if outside.untold:
        return say("`{op}` takes memory of its own", op=outside.untold)
    return ""


def _copied(case: Case, copy: _Copy, why: str) -> Finding:
    name = copy.made.name
    message = say(
        "{value} leaves torch (`{way}`) and counts as kept: on long vectors, where the memory would "
        "show that it is dropped, it cannot be told: {why}",
        value=f"`{name}`" if name else say("the result of `{op}`", op=op_name(copy.made)),
        way=op_name(copy.look),
        why=why,
    )
    return Finding(
        "hidden-values",
        message,
        place=case.place(copy.look.site),
        name=name,
        hint=say("keep to tensors, or take a single number with `.item()`"),
    )


def _hidden(case: Case, outside: Outside, copies: Sequence[_Copy]) -> Finding:
    sure = 0 < len(copies) <= outside.hidden  # each of them is kept: the first is shown
    at_peak = round(outside.kept - outside.seen_kept) < outside.hidden
    seen = round(outside.seen_peak if at_peak else outside.seen_kept)
    held = seen + outside.hidden  # as measured, without what differs from run to run
    if at_peak:
        message = say_count(
            "{count} value is kept out of sight: run on long vectors, the pass takes memory for "
            "{held} of them at its peak, and has tensors for {seen}",
            "{count} values are kept out of sight: run on long vectors, the pass takes memory for "
            "{held} of them at its peak, and has tensors for {seen}",
            outside.hidden,
            held=held,
            seen=seen,
        )
    else:
        message = say_count(
            "{count} value is kept out of sight: run on long vectors, the pass leaves memory for "
            "{held} of them behind, and has tensors for {seen}",
            "{count} values are kept out of sight: run on long vectors, the pass leaves memory for "
            "{held} of them behind, and has tensors for {seen}",
            outside.hidden,
            held=held,
            seen=seen,
        )
    return Finding(
        "hidden-values",
        message,
        place=case.place(copies[0].look.site) if sure else None,
        name=copies[0].made.name if sure else None,
        hint=say("do not keep copies in NumPy arrays, lists of numbers or buffers"),
    )
