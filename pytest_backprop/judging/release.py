"""`release`: no intermediate is alive when a later statement than its last use runs an op."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from ..messages import phrase, say
from ..model import CheckResult, CheckRules, Finding, Life, Op, Recording
from ..submission.destinations import Destinations
from ..submission.drops import ReleasePlace, release_place
from ..trace.graph import op_name
from ..trace.lateness import Late, copies, late_values, next_statements
from ..trace.lifetimes import MAX_NAMES
from .backward import ran
from .case import Case, PassCase
from .credit import and_more, by_findings

ID = "release"
HOLD_NONE = phrase("keep no tensor in a global, a class or an attribute")


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing outlives the statement of its last use, in torch or as a copy."""
    case_or_result = ran(case, ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case, recording = case_or_result, case_or_result.recording
    outlived = sorted(
        late_values(case.flow, loops=case.loops), key=lambda value: value.life.last_use
    )
    late = _without_rounds(recording, outlived)
    findings = [_finding(case, value) for value in late]
    findings += copied(case, {value.life.storage for value in outlived})
    peak = max(recording.live, default=0)
    details = {
        "values": len(recording.lives),
        "late": len(late),
        "peak_live": peak,
        "autograd_peak_live": case.cost.peak_live,
        "peak_memory": case.memory,
    }
    peaks = {"peak": peak, "autograd": case.cost.peak_live}
    first = and_more(findings) or say("everything is dropped in time")
    message = say("{message}; peak {peak} live values, autograd {autograd}", message=first, **peaks)
    return by_findings(ID, rules, findings, message, details, message=message)


def _without_rounds(recording: Recording, late: Sequence[Late]) -> list[Late]:
    """Without those that are the same in a later round of a loop: one name that is bound anew,
    and not dropped, is one mistake."""
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
    maker = recording.ops[late.life.born]
    used = recording.ops[late.life.last_use]
    holders = [name for name in late.life.holders if name != maker.name]
    name = maker.name or (holders[0] if holders else None)
    value = called(replace(maker, name=name))
    message = say("{value} is kept after its last use", value=value)
    if maker.name is not None and holders:
        held = f"`{'`, `'.join(holders)}`"
        message = say(
            "{value} is kept after its last use, held by {names}", value=value, names=held
        )
    place = case.place(late.drop_after or used.site)
    return Finding("late-release", message, place=place, name=name, hint=_hint(case, late))


def _hint(case: PassCase, late: Late) -> str:
    """Where to drop a value, with what is to be written there if that is certain to do."""
    names = late.life.holders
    place = _place(case, late)
    if place is None:
        return say("drop it right after its last use")
    plain = 0 < len(names) < MAX_NAMES and all(name.isidentifier() for name in names)
    code, words = " = ".join([*names, "None"]), {"first": place.block, "line": place.end}
    if place.block and plain:
        return say(
            "drop it after the block of lines {first} to {line}: `{code}`", code=code, **words
        )
    if place.block:
        return say("drop it after the block of lines {first} to {line}", **words)
    if plain:
        return say("drop it right after line {line}: `{code}`", code=code, **words)
    return say("drop it right after line {line}", **words)


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


def copied(case: PassCase, late: Collection[int]) -> Iterator[Finding]:
    """Intermediates that left torch as a whole, of which a copy is kept. Numbers that the pass
    goes on with are not put away, and what is `late` is told already."""
    recording = case.recording
    copied = copies(recording)
    if case.submission is None or not copied:
        return
    destinations = Destinations(case.submission.units)
    makers = {life.storage: recording.ops[life.born] for life in recording.lives}
    for storage, copy in copied.items():
        is_exempt = storage in late or storage in case.flow.exempt_storages
        if copy.is_used or is_exempt or storage not in makers:
            continue
        kept = next((at for at in copy.looks if _is_kept(destinations, recording, at)), None)
        if kept is not None:
            maker, look = makers[storage], recording.ops[kept]
            message = say(
                "{value} leaves torch (`{way}`), and the copy is kept",
                value=called(maker),
                way=op_name(look),
            )
            hint = say("keep to tensors, or take a single number with `.item()`")
            place = case.place(look.site)
            yield Finding("hidden-values", message, place=place, name=maker.name, hint=hint)


def _is_kept(destinations: Destinations, recording: Recording, position: int) -> bool:
    """Whether the text puts away what an op takes out of torch."""
    look = recording.ops[position]
    spans = recording.statements[look.statement].spans
    later = functools.partial(next_statements, recording, position)
    return look.site is not None and destinations.is_kept(op_name(look), look.site, spans, later)


def called(maker: Op) -> str:
    """What a finding calls the value that an op makes."""
    return f"`{maker.name}`" if maker.name else say("the result of `{op}`", op=op_name(maker))
