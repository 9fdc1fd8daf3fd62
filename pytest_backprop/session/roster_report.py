"""Who handed in what: the roster held against the submissions of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..classroom import ClassPlan, HandIn
from ..classroom.roster import Disputed, Roster
from ..messages import phrase, say, say_count
from ..model import Grade
from ..reports.document import ExtraEntry, LeftOutEntry, RosterInfo, StudentEntry, SubmissionEntry
from ..reports.feedback import more
from ..reports.terminal import label
from ..reports.text import one_line

SHOWN = 20
"""Lines of each kind on the terminal; the report has all."""
PATH = 60
"""Columns of the path of what is not graded."""
LEFT_OUT = 1_000
"""Entries of the report on what is not graded: a student can leave links without end."""
LAYOUTS = {
    "files": phrase("{path}: each file is a submission ({count})"),
    "folders": phrase("{path}: a folder a student ({count})"),
    "moodle": phrase("{path}: submissions from Moodle ({count})"),
    "canvas": phrase("{path}: submissions from Canvas ({count})"),
    "gradescope": phrase("{path}: submissions from Gradescope ({count})"),
}


def attendance(
    roster: Roster | None, grades: Iterable[Grade], handed: Mapping[str, HandIn]
) -> RosterInfo | None:
    """Students without a submission and with several, and submissions without a student; None
    without a roster. One that rows dispute is none of these: its grade says so."""
    if roster is None:
        return None
    students = {
        entry.line: StudentEntry(
            student=entry.student,
            id=entry.id or None,
            email=entry.email or None,
            variant=entry.variant,
            submission=entry.submission or None,
            paths=[],
        )
        for entry in roster.entries
    }
    extra: list[ExtraEntry] = []
    disputed: set[int] = set()
    for path in sorted(grade.path for grade in grades):
        try:
            rows = roster.entries_for(path)
        except Disputed as problem:
            disputed.update(entry.line for entry in problem.rows)
            continue
        if not rows:
            people = handed[path].people
            names = [person.name for person in people if person.name]
            extra.append(ExtraEntry(path, names, [person.id for person in people if person.id]))
        for entry in rows:
            students[entry.line].paths.append(path)
    return RosterInfo(
        missing=[s for line, s in students.items() if not s.paths and line not in disputed],
        extra=extra,
        several=[student for student in students.values() if len(student.paths) > 1],
    )


def left_out(plan: ClassPlan) -> list[LeftOutEntry]:
    """What was handed in and belongs to no grade."""
    entries = [LeftOutEntry(path, reason) for path, reason in plan.left_out.items()]
    left = len(entries) - LEFT_OUT
    return entries if left <= 0 else [*entries[:LEFT_OUT], LeftOutEntry("…", more(left))]


# -- on the terminal ----------------------------------------------------------------------------


def attendance_lines(standing: RosterInfo | None, plan: ClassPlan) -> list[str]:
    """Who handed in what, as `standing` has it, and what is not graded."""
    standing = standing or RosterInfo([], [], [])
    missing = [
        say(
            "no submission from {student} ({submission})",
            student=one_line(student.student),
            submission=one_line(
                f"{student.submission or student.id or student.email or '-'}, {student.variant}"
            ).removesuffix(", "),
        )
        for student in standing.missing
    ]
    several = [
        say(
            "{student} has several grades: {paths}",
            student=one_line(student.student),
            paths=one_line(", ".join(student.paths)),
        )
        for student in standing.several
    ]
    extra = [
        say("not in the roster: {path}", path=one_line(entry.path))
        + (f" ({one_line(', '.join(whose))})" if (whose := [*entry.names, *entry.ids]) else "")
        for entry in standing.extra
    ]
    not_graded = [
        say("not graded: {path} ({reason})", path=label(path, PATH), reason=one_line(reason))
        for path, reason in plan.left_out.items()
    ]
    return [line for lines in (missing, several, extra, not_graded) for line in _first(lines)]


def _first(lines: Sequence[str]) -> list[str]:
    left = len(lines) - SHOWN
    return list(lines) if left <= 0 else [*lines[:SHOWN], f"    {more(left)}"]


def lateness_lines(entries: Iterable[SubmissionEntry]) -> list[str]:
    """Whose time of handing in nobody knows, so that nothing was taken off; and how many were
    late."""
    late = [(entry.path, entry.late) for entry in entries if entry.late is not None]
    lines = [
        say(
            "lateness is not known: {path} ({reason})",
            path=label(path, PATH // 2),
            reason=one_line(lateness.problem),
        )
        for path, lateness in late
        if lateness.problem
    ]
    deductions = [lateness.deduction for _, lateness in late if lateness.deduction]
    cost = say_count(
        "{count} submission was late, which cost {points:g} points",
        "{count} submissions were late, which cost {points:g} points",
        len(deductions),
        points=sum(deductions),
    )
    return [*_first(lines), *([cost] if deductions else [])]


def arrival_lines(plan: ClassPlan, roster: Roster | None) -> list[str]:
    """How each class of the run was laid out, where it is more than files in folders; and what is
    to be told of the roster's file."""
    lines = [
        say(LAYOUTS[arrival.layout], path=one_line(arrival.path or "."), count=arrival.submissions)
        for arrival in plan.arrivals
    ]
    return lines + ([] if roster is None else [one_line(note) for note in roster.notes])
