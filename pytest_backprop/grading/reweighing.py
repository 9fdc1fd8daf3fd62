"""A grade under another rubric, from the verdicts that it has: nothing is run, nothing is judged again.

What a verdict is worth follows from its count of faults and from the rules that are marked so where rules are
declared (`CheckRules`). Any other rule has a say in the verdict itself, and asks for another run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import fields, replace

from ..judging.credit import verdict
from ..model import WEIGHS, CheckRules, Grade, GradedCheck
from .late_days import undeducted
from .rubric import Rubric, unjudged_note, weighed, without

Rules = Mapping[str, CheckRules]

JUDGING = tuple(
    field.name
    for field in fields(CheckRules)
    if WEIGHS not in getattr(field.type, "__metadata__", ())
)
"""The rules that decide what a verdict is."""


def reweighed(grade: Grade, before: Rules, rubric: Rubric) -> Grade | None:
    """The grade of a submission that was graded under the rules `before`, under `rubric`; None where it must be
    run for it. What lateness took off is not in it.

    It is for the checks of ours: what a plugin's check makes of its rules, and a plugin of a finished grade, is
    not known here.
    """
    if _judged_by(before) != _judged_by(rubric.rules):
        return None
    if any(_has_other_parts(check, before, rubric.rules) for check in grade.checks):
        return None
    grade = undeducted(grade)
    # a check that its task does not ask for is worth nothing under any rubric
    own = without(rubric, [check.result.id for check in grade.checks if not check.max_score])
    gated = rubric.gated if _is_gated(grade) else ()
    results = []
    for check in grade.checks:
        result, rules = check.result, own.rules[check.result.id]
        if result.faults is not None and result.id not in gated:
            faults = result.faults
            outcome, fraction = verdict(rules, faults.count, faults.right, faults.total)
            result = replace(result, outcome=outcome, fraction=fraction)
        results.append(result)
    checks = weighed(results, own)
    old_note, new_note = (unjudged_note(grade.status, each) for each in (grade.checks, checks))
    notes = tuple(note for note in grade.notes if note != old_note)
    return replace(
        grade,
        checks=checks,
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        notes=(*notes, new_note) if new_note else notes,
    )


def _judged_by(rules: Rules) -> dict[str, tuple[object, ...]]:
    """What of the rules decides verdicts: which checks are worth anything, and all that is not marked."""
    return {
        id: (own.points > 0, *(getattr(own, name) for name in JUDGING)) for id, own in rules.items()
    }


def _has_other_parts(check: GradedCheck, before: Rules, after: Rules) -> bool:
    """Whether a check that did not pass has its fraction from more than a count of faults: from a share of what
    follows through, which its message tells in points, or from the worst of several sizes, which the credit chooses."""
    result = check.result
    was, now = before[result.id], after[result.id]
    if result.outcome == "passed" or was == now:
        return False
    another_credit = (was.credit, was.penalty) != (now.credit, now.penalty)
    return now.follow_through > 0 or (another_credit and "sizes" in result.details)


def _is_gated(grade: Grade) -> bool:
    """Whether it has checks that do not count, as the pass is not manual."""
    return grade.status == "graded" and any(
        check.result.id == "integrity" and check.result.outcome == "failed"
        for check in grade.checks
    )
