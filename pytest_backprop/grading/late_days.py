"""What being late costs: when a submission was handed in, and its grade after that.

Who handed in what, and when, an LMS or the roster says. A time that is missing, or that nobody can
read, costs a student nothing.
"""

from __future__ import annotations

import contextlib
import math
import re
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction

from msgspec.structs import replace

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..messages import say
from ..model import Grade, Lateness, LateRules

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
