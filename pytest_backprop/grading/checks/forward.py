"""`forward`: the module's forward is the variant, at every point."""

from __future__ import annotations

from ...messages import say
from ...model import CheckResult, CheckRules
from .case import Case, Located
from .values import earned, headline, judge_value

ID = "forward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when `forward` returns the variant's value on every judged point."""
    place = case.place(case.evidence.forward_site)
    verdict = judge_value(case, case.evidence.forward_runs, case.forward, "forward", place)
    if not verdict.judged:
        message = say("no point was well-conditioned")
        return CheckResult(ID, "not_judged", 0.0, message, verdict.basis)
    if verdict.finding is None:
        return CheckResult(
            ID,
            "passed",
            1.0,
            say("forward is the variant"),
            verdict.basis,
            verdict.notes,
            verdict.details,
        )
    outcome, credit = earned(verdict.finding, rules)
    located = case.locate("forward") if verdict.finding.kind == "wrong-value" else Located()
    return CheckResult(
        ID, outcome, credit, headline(verdict.finding, "forward"), verdict.basis,
        (*located.findings, verdict.finding),
        verdict.details | {"repairs": list(located.details)},
    )  # fmt: skip
