"""`release`: no intermediate is alive when a later statement than its last use runs an op."""

from __future__ import annotations

from ..messages import say, say_count
from ..model import CheckResult, CheckRules, Finding
from ..trace.graph import op_name
from ..trace.lateness import Late, late_values
from .backward import attempted
from .case import Case, Outside
from .credit import fraction

ID = "release"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing outlives its last use by more than the rubric's slack of statements."""
    recording, flow = case.recording, case.flow
    if recording is None or flow is None:
        return CheckResult(ID, "failed", 0.0, "the pass did not run to its end", "observed")
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
    peaks = f"peak {peak} live values, autograd {case.cost.peak_live}"
    if not findings:
        message = f"everything is dropped in time; {peaks}"
        return CheckResult(ID, "passed", 1.0, message, "observed", (), told)
    credit = fraction(rules, len(late) + hidden, 0, 1)
    more = "" if len(findings) == 1 else f" (and {len(findings) - 1} more)"
    return CheckResult(
        ID, "partial" if credit > 0 else "failed", credit,
        f"{findings[0].message}{more}; {peaks}", "observed", findings, told,
    )  # fmt: skip


def _finding(case: Case, late: Late) -> Finding:
    recording = case.recording
    assert recording is not None
    made = recording.ops[late.life.born]
    used = recording.ops[late.life.last_use]
    place = case.place(late.drop_after or used.site)
    holders = [name for name in late.life.holders if name != made.name]
    name = made.name or (holders[0] if holders else None)
    called = f"`{name}`" if name else f"the result of {op_name(made)}"
    held = ""
    if made.name is not None and holders:
        held = f", held by `{'`, `'.join(holders)}`"
    dropped = holders or ([name] if name else [])
    plain = bool(dropped) and all(n.isidentifier() for n in dropped)
    drop = " = ".join([*dropped, "None"]) if plain else ""
    return Finding(
        "late-release",
        f"{called} is kept after its last use{held}",
        place=place,
        name=name,
        hint=(
            f"drop it right after that line: {drop}" if drop else "drop it right after that line"
        ),
    )


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
