"""How verdicts become a grade, what being late takes off it, and the grade of a submission that has
none.

What could not be judged earns nothing *and says so*. Who handed in what, and when, an LMS or the
roster says. A time that is missing, or that nobody can read, costs a student nothing."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..errors import GraderFault, UsageProblem
from ..messages import say
from ..model import NO_GRADE, CheckResult, Finding, Grade, GradedCheck, Lateness, LateRules, Status
from ..model.verdict import PartGrade, in_order
from .assignment import NOBODY, Assigned, Part
from .rubric import Rubric, check_id, planned

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


def not_judged(parts: Sequence[Part], shown: str, reason: GraderFault | UsageProblem) -> Grade:
    """A submission of which some parts are not judged: for a fault of ours, or for what whoever
    grades has to mend."""
    if isinstance(reason, UsageProblem):
        message = "; ".join(text for text in (reason.message, reason.way_out) if text)
        return nothing_judged(parts, shown, "not_judged", message)
    message = say("the grader failed: {fault}", fault=reason)
    return nothing_judged(parts, shown, "grader_error", message)


def nothing_judged(parts: Sequence[Part], shown: str, status: Status, message: str) -> Grade:
    """The grade of a submission of which nothing was judged, for one reason."""
    return joined(parts, [without_grade(part.rubric, shown, status, message) for part in parts])


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


# -- parts ---------------------------------------------------------------------------------------


def joined(parts: Sequence[Part], grades: Sequence[Grade]) -> Grade:
    """The grade of a submission, of those of its parts: `graded` if one part is."""
    if not parts[0].name:
        return grades[0]
    each = list(zip(parts, grades, strict=True))
    # what is no fault of the student's says least of a submission
    first = min(grades, key=lambda g: (g.status != "graded", g.status in NO_GRADE))
    messages = dict.fromkeys(grade.message for grade in grades)
    is_one = len(messages) == 1  # one fault of what was handed in, which is told once
    if not is_one:
        messages = dict.fromkeys(f"{part.name}: {g.message}" for part, g in each if g.message)
    own = next((grade for part, grade in each if part.task is None), None)
    drawings = [
        msgspec.structs.replace(g.drawing, part=part.name)
        for part, g in sorted(each, key=lambda pair: pair[1].score == pair[1].max_score)
        if g.drawing is not None and g.drawing.nodes
    ]
    return msgspec.structs.replace(
        first,
        variant=own and own.variant,
        variant_source=own and own.variant_source,
        message="" if first.status == "graded" else "; ".join(messages),
        checks=tuple(
            _of_part(part, check, told=not is_one or g.status == "graded" or part is parts[0])
            for part, g in each
            for check in g.checks
        ),
        score=math.fsum(grade.score for grade in grades),
        max_score=math.fsum(grade.max_score for grade in grades),
        seconds=math.fsum(grade.seconds for grade in grades),
        notes=tuple(f"{part.name}: {note}" for part, g in each for note in g.notes),
        drawing=(*drawings, first.drawing)[0],
        traits=(),
        parts=tuple(
            PartGrade(part.name, g.variant, g.status, g.message, g.score, g.max_score, g.traits)
            for part, g in each
        ),
    )


def _of_part(part: Part, check: GradedCheck, told: bool) -> GradedCheck:
    """A check with the id that it has in the assignment, and its findings where they are told."""
    findings = check.result.findings if told else ()
    id = check_id(part.name, check.result.id)
    result = msgspec.structs.replace(check.result, id=id, findings=findings)
    return msgspec.structs.replace(check, result=result)


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


# -- being late -----------------------------------------------------------------------------------


WORDED = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")
"""Times as Moodle's grading worksheet has them in English."""
OFFSET = re.compile(r"\s+(?:UTC|GMT|(Z|[+-]\d\d:?\d\d))$")


# -- when it was handed in ----------------------------------------------------------------------


def lateness_of(
    rules: LateRules | None, roster: Roster | None, handed: HandIn | None, shown: str
) -> Lateness | None:
    """How late a submission is, and the share that this costs; None without rules. The time is the
    roster's, else an LMS's; of a group it is the earliest, and the free days and the time to hand
    in are the most that one of them has. The rubric's `due` holds where it is later."""
    if rules is None:
        return None
    rows = () if roster is None else roster.undisputed(shown)
    texts = [row.submitted for row in rows if row.submitted]
    if not texts and handed is not None and handed.submitted:
        texts = [handed.submitted]
    zone = rules.due.tzinfo
    extended = [*(row.due for row in rows if row.due), *(handed.dues if handed else ())]
    dues = {text: read_time(text, zone) for text in extended}
    until = max([rules.due, *filter(None, dues.values())])
    due = until.isoformat(sep=" ")
    times = [time for text in texts if (time := read_time(text, zone)) is not None]
    unread = [text for text, time in dues.items() if time is None]
    if unread or not times:
        reason = say("no time is told")
        if strange := unread or texts:
            reason = say("{time!r} is no time that is understood", time=strange[0][:60])
        return Lateness(due, None, problem=reason)
    submitted = min(times)
    after = submitted - until
    days = math.ceil(after / timedelta(days=1))
    if after <= timedelta(minutes=rules.grace):
        days = 0
    most = max((int(row.free_days) for row in rows if row.free_days), default=rules.free_days)
    free = min(days, most)
    # as decimals: the rubric says 0.1, and ten tenths must leave exactly nothing
    share = min(Fraction(repr(rules.cap)), Fraction(repr(rules.penalty)) * (days - free))
    return Lateness(due, submitted.isoformat(sep=" "), days, free, float(share))


def read_time(text: str, zone: tzinfo | None) -> datetime | None:
    """The time that a text tells, in `zone` where it names none; None if it is not understood. ISO
    8601 is, also as Gradescope (`2026-11-20 23:59:00 -0800`) and Canvas (`2026-11-20T23:59:00Z`)
    write it, and Moodle's English (`Friday, 20 November 2026, 11:59 PM`). A day alone is its
    beginning."""
    text = OFFSET.sub(lambda match: match[1] or "Z", text.strip())
    time = None
    with contextlib.suppress(ValueError):
        time = datetime.fromisoformat(text)
    for form in WORDED:
        with contextlib.suppress(ValueError):
            time = time or datetime.strptime(text, form)
    if time is None:
        return None
    return time if time.tzinfo is not None else time.replace(tzinfo=zone or UTC)


# -- the grade ----------------------------------------------------------------------------------


def deducted(grade: Grade, late: Lateness | None) -> Grade:
    """The grade with what lateness costs taken off, and a note on it, unless it was in time or
    nobody knows."""
    if late is None:
        return grade
    score = float((1 - Fraction(repr(late.share))) * Fraction(grade.score))
    points, notes = max(0.0, grade.score - score), grade.notes
    if late.days:
        note = say(
            "late: day {day} ({free} free), {points:g} of {score:g} points off; due {due}",
            day=late.days,
            free=late.free_days,
            points=points,
            score=grade.score,
            due=datetime.fromisoformat(late.due).isoformat(" ", "minutes"),
        )
        notes = (*notes, note)
    return replace(grade, score=score, notes=notes, late=replace(late, deduction=points))
