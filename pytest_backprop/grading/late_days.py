"""What being late costs: when a submission was handed in, and its grade after that.

Who handed in what, and when, an LMS or the roster says. A time that is missing, or that nobody can
read, costs a student nothing.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction

from msgspec.structs import replace

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..messages import phrase, say
from ..model import Grade, Lateness, LateRules

DAY = timedelta(days=1)
WORDED = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")
"""Times as Moodle's grading worksheet has them in English."""
OFFSET = re.compile(r"\s+(?:UTC|GMT|(Z|[+-]\d\d:?\d\d))$")


# -- when it was handed in ----------------------------------------------------------------------


def lateness_of(
    rules: LateRules | None, roster: Roster | None, handed: HandIn | None, shown: str
) -> Lateness | None:
    """How late a submission is, and the share that this costs; None without rules. The time is the
    roster's, else an LMS's; of a group it is the earliest, and the free days and the time to hand
    in are the most that one of them has."""
    if rules is None:
        return None
    rows = () if roster is None else roster.undisputed(shown)
    times = [row.submitted for row in rows if row.submitted]
    if not times and handed is not None and handed.submitted:
        times = [handed.submitted]
    free = max((int(row.free_days) for row in rows if row.free_days), default=rules.free_days)
    dues = [*(row.due for row in rows if row.due), *(handed.dues if handed is not None else ())]
    return lateness(rules, times, free, dues)


def lateness(
    rules: LateRules, submitted_at: Sequence[str], free_days: int, extended: Sequence[str] = ()
) -> Lateness:
    """The same, of times as they are written. `extended` are those until which somebody may hand
    in; the rubric's `due` holds where it is later. A time that nobody can read costs nothing."""
    zone = rules.due.tzinfo
    dues = {text: read_time(text, zone) for text in extended}
    until = max([rules.due, *(time for time in dues.values() if time is not None)])
    due = until.isoformat(sep=" ")
    times = [time for text in submitted_at if (time := read_time(text, zone)) is not None]
    unread = [text for text, time in dues.items() if time is None]
    if unread or not times:
        reason = say("no time is told")
        if texts := unread or submitted_at:
            reason = say("{time!r} is no time that is understood", time=texts[0][:60])
        return Lateness(due, None, problem=reason)
    submitted = min(times)
    after = submitted - until
    graced = after <= timedelta(minutes=rules.grace)
    days = 0 if graced else math.ceil(after / DAY)
    free = min(days, free_days)
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
    """The grade with what lateness costs taken off, never below 0 and never more than before, and a
    note on it, unless it was in time or nobody knows."""
    if late is None:
        return grade
    score = float((1 - Fraction(repr(late.share))) * Fraction(grade.score))
    points, note = max(0.0, grade.score - score), ""
    if late.days:
        text = phrase("late: day {day}, {points:g} of {score:g} points off; due {due}")
        if not points:
            text = phrase("late: day {day}, nothing off; due {due}")
        elif late.free_days:
            text = phrase(
                "late: day {day} ({free} free), {points:g} of {score:g} points off; due {due}"
            )
        due = datetime.fromisoformat(late.due).isoformat(" ", "minutes")
        days = {"day": late.days, "free": late.free_days, "due": due}
        note = say(text, **days, points=points, score=grade.score)
    late = replace(late, deduction=points, note=note)
    notes = (*grade.notes, note) if note else grade.notes
    return replace(grade, score=score, notes=notes, late=late)
