"""How verdicts become a grade, and the grade of a submission that has none.

What could not be judged earns nothing *and says so*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from ..errors import GraderFault, UsageProblem
from ..messages import say
from ..model import NO_GRADE, CheckResult, Finding, Grade, GradedCheck, Status
from ..model.verdict import in_order
from .assignment import NOBODY, Assigned
from .rubric import Rubric, planned

MAX_FINDINGS = 200
"""Findings of one check that a grade keeps; reports say how many more there were."""


def grade(
    path: str,
    assigned: Assigned,
    results: Sequence[CheckResult],
    rubric: Rubric,
    notes: Sequence[str] = (),
) -> Grade:
    """Weighs the verdicts on a submission that ran to its end, of each planned check in order.
    Failed integrity zeroes the gated checks. Scores are not rounded."""
    final = {result.id: _usable(result) for result in results}
    if final["integrity"].outcome == "failed":
        reason = str(final["integrity"].details.get("gate") or say("the pass is not manual"))
        final |= {id: _uncounted(final[id], reason) for id in rubric.gated if id in final}
    rules = rubric.rules
    unjudged = [id for id, r in final.items() if r.outcome == "not_judged" and rules[id].points > 0]
    if unjudged:
        note = say(
            "not judged, so without points here: {checks} ({points:g} points)",
            checks=", ".join(unjudged),
            points=math.fsum(rules[id].points for id in unjudged),
        )
        notes = (*notes, note)
    return _grade(path, assigned, "graded", "", list(final.values()), rubric, notes)


def without_grade(
    rubric: Rubric,
    shown: str,
    status: Status,
    message: str,
    assigned: Assigned = NOBODY,
    finding: Finding | None = None,
) -> Grade:
    """The grade of a submission that was not run or judged to its end: every check failed, for the
    one reason that `message` and `finding` tell, which the first check has; with a status of
    NO_GRADE none was judged."""
    if status in NO_GRADE:
        results = [unjudged(id, message) for id in planned(rubric)]
    else:
        results = [CheckResult(id, "failed", 0.0, message, "observed") for id in planned(rubric)]
        if finding is not None:
            results[0] = msgspec.structs.replace(results[0], findings=(finding,))
    return _grade(shown, assigned, status, message, results, rubric)


def not_judged(rubric: Rubric, shown: str, reason: GraderFault | UsageProblem) -> Grade:
    """A submission that is not judged: for a fault of ours, or for what whoever grades has to
    mend."""
    if isinstance(reason, UsageProblem):
        message = "; ".join(text for text in (reason.message, reason.way_out) if text)
        return without_grade(rubric, shown, "not_judged", message)
    message = say("the grader failed: {fault}", fault=reason)
    return without_grade(rubric, shown, "grader_error", message)


def _grade(
    path: str,
    assigned: Assigned,
    status: Status,
    message: str,
    results: Sequence[CheckResult],
    rubric: Rubric,
    notes: Sequence[str] = (),
) -> Grade:
    rules = rubric.rules
    checks = tuple(
        GradedCheck(r, r.fraction * rules[r.id].points, rules[r.id].points, rules[r.id].visibility)
        for r in results
    )
    return Grade(
        path=path,
        student=None,
        variant=assigned.variant,
        variant_source=assigned.source,
        status=status,
        message=message,
        checks=checks,
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        seconds=0.0,  # whoever takes the time says it
        notes=(*assigned.notes, *notes),
    )


# -- verdicts -----------------------------------------------------------------------------------


def contradiction(result: CheckResult) -> str | None:
    """Why the outcome of a verdict and its fraction do not go together; None if they do: to take
    either would be to choose in silence."""
    outcome, fraction = result.outcome, result.fraction
    fits = {"passed": fraction == 1, "partial": True}.get(outcome, fraction == 0)
    if fits and 0 <= fraction <= 1:
        return None
    return say("{outcome} with a fraction of {fraction:g}", outcome=outcome, fraction=fraction)


def unjudged(id: str, reason: str) -> CheckResult:
    """The verdict that a check could not be judged, for a reason that is not the student's."""
    message = say("not judged: {reason}", reason=reason)
    return CheckResult(id, "not_judged", 0.0, message, "observed", details={"reason": reason})


def _usable(result: CheckResult) -> CheckResult:
    """The verdict with at most MAX_FINDINGS findings: a loop may make one of every op, and each is
    in the journal and in the memory of pytest's process."""
    if (reason := contradiction(result)) is not None:
        return unjudged(result.id, reason)
    left_out = len(result.findings) - MAX_FINDINGS
    if left_out <= 0:
        return result
    findings = tuple(in_order(result.findings)[:MAX_FINDINGS])
    return msgspec.structs.replace(result, findings=findings, left_out=left_out)


def _uncounted(result: CheckResult, reason: str) -> CheckResult:
    why = "; ".join(filter(None, (reason, result.message)))
    message = say("not counted: {reason}", reason=why)
    return msgspec.structs.replace(result, outcome="failed", fraction=0.0, message=message)
