"""`forward`: the module's forward is the variant, at every point."""

from __future__ import annotations

from ..messages import say
from ..model import VALUE, CheckResult, CheckRules, Finding
from .beside import shape_fault, value_fault, value_place
from .case import Case, Located
from .values import earned, headline, judge_value

ID = "forward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when `forward` returns the variant's value on every judged point."""
    at_def = case.place(case.evidence.forward_site)
    place = value_place(case) if case.is_vjp else at_def
    shaped = _shaped(case)
    if shaped is not None:
        return CheckResult(ID, "failed", 0.0, shaped.message, "observed", (shaped,))
    verdict = judge_value(
        case, case.evidence.forward_runs, case.forward, say(case.wording.value), place
    )
    if not verdict.judged:
        message = say("no point was well-conditioned")
        return CheckResult(ID, "not_judged", 0.0, message, verdict.basis)
    beside = value_fault(case) if verdict.finding is None else None
    if beside is not None:
        outcome, credit, counts = earned(beside, rules)
        return CheckResult(
            ID, outcome, credit, beside.message, "observed", (beside,), faults=counts
        )
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
    outcome, credit, counts = earned(verdict.finding, rules)
    located = case.locate("forward") if verdict.finding.kind == "wrong-value" else Located()
    return CheckResult(
        ID, outcome, credit, headline(verdict.finding, say(case.wording.value)), verdict.basis,
        located.and_numbers([verdict.finding]),
        verdict.details | {"repairs": list(located.details)}, counts,
    )  # fmt: skip


def _shaped(case: Case) -> Finding | None:
    """The finding for a value of any shape that has a wrong one."""
    value = case.evidence.pass_runs[0].tensor(VALUE) if case.is_void else None
    return None if value is None else shape_fault(case, value.shape, case.leaves[-1].shape)
