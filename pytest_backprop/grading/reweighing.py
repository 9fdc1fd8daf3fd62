"""A grade under another rubric, from the verdicts that it has: nothing is run, nothing is judged again.

Points, visibility, credit and penalty follow from outcome, fraction and faults. What a rule changes in
the judging itself is another run's; `reweighed` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ..messages import say
from ..model import CHECK_IDS, CheckResult, CheckRules, Grade, GradedCheck
from .checks.credit import verdict
from .late_days import undeducted
from .rubric import Rubric, planned, unjudged_note, weighed, without

Rules = Mapping[str, CheckRules]


class AnotherRun(Exception):
    """The grade does not follow from the verdicts; the argument says why, in a sentence."""


def reweighed(grade: Grade, before: Rules, rubric: Rubric, omitted: Sequence[str]) -> Grade:
    """The grade of a submission that was graded under the rules `before`, under `rubric`; `omitted` are the
    checks that its task does not ask for. What a plugin or lateness took off is not in it.

    Raises AnotherRun where the submission must be run for it.
    """
    reason = next(_reasons(grade, before, rubric.rules), None)
    if reason is not None:
        raise AnotherRun(reason)
    grade = undeducted(grade)
    own = without(rubric, omitted)
    gated = own.gated if _is_gated(grade) else ()
    checks = weighed(
        [
            check.result if check.result.id in gated
            else _credited(check.result, own.rules[check.result.id])
            for check in grade.checks
        ],
        own,
    )  # fmt: skip
    old_note, new_note = (unjudged_note(grade.status, each) for each in (grade.checks, checks))
    notes = [note for note in grade.notes if note != old_note]
    return replace(
        grade,
        checks=checks,
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        notes=(*notes, new_note) if new_note else tuple(notes),
    )


def _is_gated(grade: Grade) -> bool:
    """Whether it has checks that do not count, as the pass is not manual."""
    return grade.status == "graded" and any(
        check.result.id == "integrity" and check.result.outcome == "failed"
        for check in grade.checks
    )


def _credited(result: CheckResult, rules: CheckRules) -> CheckResult:
    if result.faults is None:
        return result
    counts = result.faults
    outcome, fraction = verdict(rules, counts.count, counts.right, counts.total)
    return replace(result, outcome=outcome, fraction=fraction)


# -- what only another run can tell -------------------------------------------------------------


def _reasons(grade: Grade, before: Rules, after: Rules) -> Iterator[str]:
    """Why the verdicts do not tell the grade, each reason a sentence."""
    ids = [check.result.id for check in grade.checks]
    old, new = Rubric("", None, dict(before)), Rubric("", None, dict(after))
    if not set(ids) == set(planned(old)) == set(planned(new)):
        yield say("other checks are planned, and were not judged")
    elif grade.status == "graded":
        for check in grade.checks:
            id = check.result.id
            for key in CheckRules.__struct_fields__:
                was, now = getattr(before[id], key), getattr(after[id], key)
                if was != now and not _follows(key, check, grade, after[id], was, now):
                    yield say("{rule} decides what is judged", rule=f"checks.{id}.{key}")
    elif _is_made_otherwise(grade, _arguments(before), _arguments(after)):
        yield say("{rule} decides what is judged", rule="checks.forward.arguments")


def _is_made_otherwise(grade: Grade, was: str, now: str) -> bool:
    """Whether a submission that did not run to its end may do so, or may end earlier, now that the class
    may need arguments, or may not."""
    if now == "allow":
        findings = (finding for check in grade.checks for finding in check.result.findings)
        return was != now and any(finding.kind == "constructor" for finding in findings)
    return was != now and grade.status != "unreadable"


def _arguments(rules: Rules) -> str:
    return rules["forward"].arguments if "forward" in rules else "fault"


def _follows(
    key: str, check: GradedCheck, grade: Grade, rules: CheckRules, was: object, now: object
) -> bool:
    """Whether a check's verdict under a rule that went from `was` to `now` follows from the one it has; `rules` are
    all those of the check now."""
    result = check.result
    if key == "visibility":
        return True
    if key == "points":  # a share of points that follow through is said in points
        return "follow_through" not in result.details
    if result.id not in CHECK_IDS:
        return False  # what a plugin makes of its rules, it alone knows
    if result.outcome != "passed" and "sizes" in result.details:
        return False  # which size is told, and what is wrong at the others, hangs on the credit
    if key == "follow_through":
        return result.outcome == "passed"
    if key in ("credit", "penalty"):  # whichever is more counts, and one of them is not kept
        return result.outcome == "passed" or not rules.follow_through
    if key == "slack":  # a page draws what is late, whatever passed
        return result.outcome == "passed" and _number(was) < _number(now) and grade.drawing is None
    if key == "zero_nodes":
        return result.outcome != "not_judged" and all(
            finding.kind != "zero-node" for finding in result.findings
        )
    if key == "returned":  # what was allowed leaves no trace
        return now == "allow" and all(f.kind != "returned-gradient" for f in result.findings)
    return key == "arguments" and now == "allow"


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
