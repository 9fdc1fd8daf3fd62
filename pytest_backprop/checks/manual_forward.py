"""`manual-forward`: the pass returns the variant's value, and has computed it itself."""

from __future__ import annotations

from ..model import CheckResult, CheckRules, Finding
from .case import Case, Located
from .credit import fraction
from .values import judge_value

ID = "manual-forward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the pass returns the variant's value; calling `forward` for it earns nothing."""
    shown = case.evidence.pass_name
    place = case.place(case.evidence.pass_site)
    called = _called_forward(case)
    if called is not None:
        return CheckResult(ID, "failed", 0.0, called.message, "observed", (called,))
    verdict = judge_value(case, case.evidence.pass_runs, case.manual, shown, place)
    notes = tuple(
        Finding("mutates", f"the pass changes {what} in place", "note", place)
        for what in case.evidence.mutations
    )
    if not verdict.judged:
        return CheckResult(ID, "not_judged", 0.0, "no point was well-conditioned", verdict.basis)
    if verdict.finding is None:
        message = "the pass returns the variant's value"
        notes = (*verdict.notes, *notes)
        return CheckResult(ID, "passed", 1.0, message, verdict.basis, notes, verdict.details)
    located = case.locate("pass") if verdict.finding.kind == "wrong-value" else Located()
    return CheckResult(
        ID, "failed", fraction(rules, 1, 0, 1), verdict.finding.message, verdict.basis,
        (verdict.finding, *located.findings, *notes),
        verdict.details | {"repairs": list(located.details)},
    )  # fmt: skip


def _called_forward(case: Case) -> Finding | None:
    recording, flow = case.recording, case.flow
    if recording is None or flow is None:
        return None
    for position in sorted(flow.upstream(flow.result_sources)):
        op = recording.ops[position]
        if op.context == "forward":
            return Finding(
                "calls-forward",
                f"{case.evidence.pass_name} takes y from forward instead of computing it",
                place=case.place(case.evidence.pass_site),
                hint="write the forward computation out in the pass, node by node",
            )
    return None
