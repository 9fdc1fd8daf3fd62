"""What each check is worth, and how verdicts become a grade.

The denominator is fixed here, by `planned`, before anything runs: every planned check ends in
every grade, and what could not be judged earns nothing *and says so*.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct

from ..errors import GraderFault, UsageProblem
from ..exercises import FORWARD_BACKWARD
from ..messages import say
from ..model import (
    CHECK_IDS,
    NO_GRADE,
    CheckResult,
    CheckRules,
    Finding,
    Grade,
    GradedCheck,
    LateRules,
    Status,
    VariantSource,
)
from ..model.verdict import in_order

MAX_FINDINGS = 200
"""Findings of one check that a grade keeps; reports say how many more there were."""

ONNX = "onnx"
"""The check that is judged only where it is worth something."""
GATED = tuple(
    "gradient needs-input-grad none unused-nodes release saved double-backward second-order"
    " parameters zeroing scaling threshold files".split()
)
"""The checks that count only when the pass is manual."""


class Rubric(Struct, frozen=True):
    """The rules of every check, in report order: that of `model.CHECK_IDS`, then those of plugins.

    `source` is the file as it was given, None for the default rubric. `gated` are the checks that
    count only when the pass is manual. `late` is what lateness costs, None for nothing.
    """

    name: str
    source: str | None
    rules: dict[str, CheckRules]
    gated: tuple[str, ...] = GATED
    late: LateRules | None = None


def default_rubric() -> Rubric:
    """The rubric of the course's homework, out of 100 points."""
    return rubric_of("default", FORWARD_BACKWARD.rules, {}, ())


def rubric_of(
    name: str,
    rules: Mapping[str, CheckRules],
    extra: Mapping[str, CheckRules],
    gated: Collection[str],
) -> Rubric:
    """The default rubric of an exercise: its `rules` of the checks that it asks for; `extra` are
    checks of plugins, those in `gated` count only when the pass is manual.

    `integrity` is judged in any case: it is a gate. Raises UsageProblem for a check there is not.
    """
    own = {"integrity": CheckRules(points=0), **extra, **rules}
    ids = dict.fromkeys((*CHECK_IDS, *extra))
    for id in own:
        if id not in ids:
            raise UsageProblem(
                f"{name} has rules for the unknown check {id!r}", f"known: {', '.join(ids)}"
            )
    return Rubric(
        name=name,
        source=None,
        rules={id: own[id] for id in ids if id in own},
        gated=(*GATED, *(id for id in extra if id in gated)),
    )


def planned(rubric: Rubric) -> tuple[str, ...]:
    """Ids of the checks that every submission is judged on, in report order.

    `integrity` is a gate and is judged at 0 points too; `onnx` only when it is worth something.
    """
    return tuple(id for id, rules in rubric.rules.items() if id != ONNX or rules.points > 0)


# -- grading ------------------------------------------------------------------------------------


def grade(
    path: str,
    variant: str | None,
    variant_source: VariantSource | None,
    status: Status,
    message: str,
    results: Sequence[CheckResult],
    rubric: Rubric,
    seconds: float,
    notes: Sequence[str] = (),
) -> Grade:
    """Weigh the verdicts on one submission. `seconds` is wall time.

    A planned check without a usable result is not judged; so is every check when `status` is
    one of NO_GRADE. Failed integrity zeroes the gated checks of a submission that ran to its end
    (`graded`); of one that did not, every check failed for that reason and keeps its message.
    Scores are not rounded. Raises GraderFault for a result of a check that was not planned.
    """
    by_id = {result.id: result for result in results}
    for id in by_id:
        if id not in planned(rubric):
            raise GraderFault(f"{path}: a result of {id!r}, which was not planned")
    final = {id: _usable(id, by_id.get(id)) for id in planned(rubric)}
    if status in NO_GRADE:
        final = {id: not_judged(id, message) for id in final}
    elif status == "graded" and final["integrity"].outcome == "failed":
        reason = str(final["integrity"].details.get("gate") or say("the pass is not manual"))
        final |= {id: _uncounted(final[id], reason) for id in rubric.gated if id in final}
    rules = rubric.rules
    checks = tuple(
        GradedCheck(r, r.fraction * rules[r.id].points, rules[r.id].points, rules[r.id].visibility)
        for r in final.values()
    )
    unjudged = [c for c in checks if c.result.outcome == "not_judged" and c.max_score > 0]
    if unjudged and status not in NO_GRADE:  # else the message says it of all
        note = say(
            "not judged, so without points here: {checks} ({points:g} points)",
            checks=", ".join(c.result.id for c in unjudged),
            points=math.fsum(c.max_score for c in unjudged),
        )
        notes = (*notes, note)
    return Grade(
        path=path,
        student=None,
        variant=variant,
        variant_source=variant_source,
        status=status,
        message=message,
        checks=checks,
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        seconds=seconds,
        notes=tuple(notes),
    )


def uniform_failure(
    rubric: Rubric, message: str, finding: Finding | None = None
) -> tuple[CheckResult, ...]:
    """Every planned check failed for one reason (unreadable, timed out, crashed).

    The finding stands on the first check only, so that it is told once.
    """
    first, *others = planned(rubric)
    findings = {first: () if finding is None else (finding,)}
    return tuple(
        CheckResult(id, "failed", 0.0, message, "observed", findings.get(id, ()))
        for id in (first, *others)
    )


def contradiction(result: CheckResult) -> str | None:
    """Why the outcome of a verdict and its fraction do not go together; None if they do: to take
    either would be to choose in silence."""
    outcome, fraction = result.outcome, result.fraction
    fits = {"passed": fraction == 1, "partial": True}.get(outcome, fraction == 0)
    if fits and 0 <= fraction <= 1:
        return None
    return say("{outcome} with a fraction of {fraction:g}", outcome=outcome, fraction=fraction)


def _usable(id: str, result: CheckResult | None) -> CheckResult:
    """The verdict with at most MAX_FINDINGS findings: a loop may make one of every op, and each is
    in the journal and in the memory of pytest's process."""
    if result is None:
        return not_judged(id, say("the check gave no result"))
    reason = contradiction(result)
    if reason is not None:
        return not_judged(id, reason)
    left_out = len(result.findings) - MAX_FINDINGS
    if left_out <= 0:
        return result
    findings = tuple(in_order(result.findings)[:MAX_FINDINGS])
    return msgspec.structs.replace(result, findings=findings, left_out=left_out)


def not_judged(id: str, reason: str) -> CheckResult:
    """The verdict that a check could not be judged, for a reason that is not the student's."""
    return CheckResult(
        id=id,
        outcome="not_judged",
        fraction=0.0,
        message=say("not judged: {reason}", reason=reason),
        basis="observed",
        details={"reason": reason},
    )


def _uncounted(result: CheckResult, reason: str) -> CheckResult:
    message = say("not counted: {reason}", reason=reason)
    if result.message:
        message = say("not counted: {reason}; {message}", reason=reason, message=result.message)
    return msgspec.structs.replace(result, outcome="failed", fraction=0.0, message=message)
