"""`release`: no intermediate is alive when a later statement than its last use runs an op."""

from __future__ import annotations

from msgspec.structs import replace

from ..messages import say, say_count
from ..model import CheckResult, CheckRules, Finding
from ..trace.graph import op_name
from ..trace.lateness import Late, late_values
from .backward import attempted
from .case import Case, Outside
from .credit import verdict as credited

ID = "release"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing outlives its last use by more than the rubric's slack of statements."""
    recording, flow = case.recording, case.flow
    if recording is None or flow is None:
        return CheckResult(ID, "failed", 0.0, say("the pass did not run to its end"), "observed")
    missing = attempted(case)
    if missing is not None:
        return CheckResult(ID, "failed", 0.0, missing, "observed")
    late = sorted(
        late_values(recording, flow.exempt_storages, rules.slack),
        key=lambda value: value.life.last_use,
    )
    findings = tuple(_finding(case, value) for value in late)
    outside = case.outside if isinstance(case.outside, Outside) else None
    hidden = outside.hidden if outside is not None else 0
    if outside is not None and hidden:
        findings += (_hidden(outside),)
    peak = max(recording.live, default=0)
    told: dict[str, object] = {
        "values": len(recording.lives),
        "late": len(late),
        "peak_live": peak,
        "autograd_peak_live": case.cost.peak_live,
        "outside": case.outside if outside is None else outside._asdict(),
    }
    peaks = {"peak": peak, "autograd": case.cost.peak_live}
    if not findings:
        message = say(
            "everything is dropped in time; peak {peak} live values, autograd {autograd}", **peaks
        )
        return CheckResult(ID, "passed", 1.0, message, "observed", (), told)
    outcome, credit = credited(rules, len(late) + hidden)
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
    return CheckResult(ID, outcome, credit, message, "observed", findings, told)


def _finding(case: Case, late: Late) -> Finding:
    recording = case.recording
    assert recording is not None
    made = recording.ops[late.life.born]
    used = recording.ops[late.life.last_use]
    span = late.drop_after or used.site
    place = case.place(span)
    # a statement of several lines is shown by its first
    last = None if span is None else case.place(replace(span, line=span.end_line, column=0))
    end = last.line if last is not None else None
    holders = [name for name in late.life.holders if name != made.name]
    name = made.name or (holders[0] if holders else None)
    called = f"`{name}`" if name else say("the result of {op}", op=op_name(made))
    message = say("{value} is kept after its last use", value=called)
    if made.name is not None and holders:
        held = f"`{'`, `'.join(holders)}`"
        message = say(
            "{value} is kept after its last use, held by {names}", value=called, names=held
        )
    dropped = holders or ([name] if name else [])
    plain = bool(dropped) and all(n.isidentifier() for n in dropped)
    drop = " = ".join([*dropped, "None"]) if plain else ""
    return Finding(
        "late-release",
        message,
        place=place,
        name=name,
        hint=_hint(drop, end),
    )


def _hint(drop: str, end: int | None) -> str:
    if end is not None and drop:
        return say("drop it right after line {line}: {code}", line=end, code=drop)
    if end is not None:
        return say("drop it right after line {line}", line=end)
    if drop:
        return say("drop it right after its last use: {code}", code=drop)
    return say("drop it right after its last use")


def _hidden(outside: Outside) -> Finding:
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
        hint=say("do not keep copies in NumPy arrays, lists of numbers or buffers"),
    )
