"""Who handed in what: the roster held against the submissions of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..classroom import ClassPlan, HandIn
from ..classroom.roster import Disputed, Roster, RosterEntry
from ..messages import phrase, say, say_count
from ..model import Grade
from ..reports.document import ExtraEntry, LeftOutEntry, RosterInfo, StudentEntry
from ..reports.terminal import label
from ..reports.text import one_line
from .earlier_report import rows_of

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


def held(
    roster: Roster | None,
    grades: Iterable[Grade],
    handed: Mapping[str, HandIn],
    kept: Mapping[str, Grade],
) -> RosterInfo | None:
    """Students without a submission and with several, and submissions without a student; None
    without a roster. One that rows dispute is none of these: its grade says so. `kept` are grades of an earlier
    run."""
    if roster is None:
        return None
    paths: dict[int, list[str]] = {entry.line: [] for entry in roster.entries}
    extra: list[ExtraEntry] = []
    disputed: set[int] = set()
    for path in sorted((*(grade.path for grade in grades), *kept)):
        try:
            rows = roster.entries_for(path) if path not in kept else rows_of(kept[path], roster)
        except Disputed as problem:
            disputed.update(entry.line for entry in problem.rows)
            continue
        if not rows:
            extra.append(_extra(path, handed.get(path)))
        for entry in rows:
            paths[entry.line].append(path)
    students = [_student(entry, paths[entry.line]) for entry in roster.entries]
    return RosterInfo(
        missing=[
            student
            for entry, student in zip(roster.entries, students, strict=True)
            if not student.paths and entry.line not in disputed
        ],
        extra=extra,
        several=[student for student in students if len(student.paths) > 1],
    )


def left_out(plan: ClassPlan) -> list[LeftOutEntry]:
    """What was handed in and belongs to no grade."""
    told = [LeftOutEntry(left.path, left.reason) for left in plan.left_out[:LEFT_OUT]]
    more = len(plan.left_out) - LEFT_OUT
    if more > 0:
        told.append(LeftOutEntry("…", say_count("and {count} more", "and {count} more", more)))
    return told


def attendance_lines(
    standing: RosterInfo | None, plan: ClassPlan, roster: Roster | None
) -> list[str]:
    """The same for a terminal. Where nobody matches, that is said in place of a line for each."""
    lines: list[str] = []
    if standing is not None and roster is not None and _is_nobody(standing, roster):
        lines += _nobody(standing)
    elif standing is not None:
        lines += _first(_missing(student) for student in standing.missing)
        lines += _first(_several(student) for student in standing.several)
        lines += _first(_not_listed(entry) for entry in standing.extra)
    lines += _first(
        say(
            "not graded: {path} ({reason})",
            path=label(left.path, PATH),
            reason=one_line(left.reason),
        )
        for left in plan.left_out
    )
    return lines


def lateness_lines(grades: Iterable[Grade]) -> list[str]:
    """Whose time of handing in nobody knows, so that nothing was taken off; and how many were late."""
    late = [(grade.path, grade.late) for grade in grades if grade.late is not None]
    lines = list(
        _first(
            say("lateness is not known: {path} ({reason})",
                path=label(path, PATH // 2), reason=one_line(told.problem))
            for path, told in sorted(late, key=lambda each: each[0])
            if told.problem
        )
    )  # fmt: skip
    costing = [told for _, told in late if told.deduction]
    if costing:
        lines.append(
            say_count(
                "{count} submission was late, which cost {points:g} points",
                "{count} submissions were late, which cost {points:g} points",
                len(costing),
                points=sum(told.deduction for told in costing),
            )
        )
    return lines


def arrival_lines(plan: ClassPlan, roster: Roster | None) -> list[str]:
    """How each class of the run was laid out, where it is more than files in folders; and what is to be
    told of the roster's file."""
    lines = [
        say(
            LAYOUTS[arrival.layout],
            path=one_line(arrival.path or "."),
            count=arrival.submissions,
        )
        for arrival in plan.arrivals
    ]
    return lines + ([] if roster is None else [one_line(note) for note in roster.notes])


def _student(entry: RosterEntry, paths: list[str]) -> StudentEntry:
    return StudentEntry(
        student=entry.student,
        id=entry.id or None,
        email=entry.email or None,
        variant=entry.variant,
        submission=entry.submission or None,
        paths=paths,
    )


def _extra(path: str, handed: HandIn | None) -> ExtraEntry:
    people = () if handed is None else handed.people
    names = [person.name for person in people if person.name]
    return ExtraEntry(path, names, [person.id for person in people if person.id])


def _is_nobody(standing: RosterInfo, roster: Roster) -> bool:
    return len(standing.missing) == len(roster.entries) and len(standing.extra) > 1


def _nobody(standing: RosterInfo) -> list[str]:
    student, entry = standing.missing[0], standing.extra[0]
    told = say(
        "the roster matches no submission: it has {own} for {student}, and the class has {other} for {path}",
        own=one_line(student.id or student.email or student.submission or "-"),
        student=one_line(student.student),
        other=one_line(", ".join(entry.ids) or "-"),
        path=label(entry.path, PATH),
    )
    way_out = say(
        "give the roster what the class has, in its column id, email or submission; of a class from Moodle, "
        "put the assignment's grading worksheet (CSV) into the same folder"
    )
    return [told, "    " + way_out]


def _missing(student: StudentEntry) -> str:
    return say(
        "no submission from {student} ({submission}, {variant})",
        student=one_line(student.student),
        submission=one_line(student.submission or student.id or student.email or "-"),
        variant=student.variant,
    )


def _several(student: StudentEntry) -> str:
    return say(
        "{student} has several grades: {paths}",
        student=one_line(student.student),
        paths=one_line(", ".join(student.paths)),
    )


def _not_listed(entry: ExtraEntry) -> str:
    path = one_line(entry.path)
    if not entry.names and not entry.ids:
        return say("not in the roster: {path}", path=path)
    return say(
        "not in the roster: {path}; in the LMS it is of {names}, id {ids}",
        path=path,
        names=one_line(", ".join(entry.names) or "-"),
        ids=one_line(", ".join(entry.ids) or "-"),
    )


def _first(lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    yield from told[:SHOWN]
    if len(told) > SHOWN:
        yield "    " + say_count("and {count} more", "and {count} more", len(told) - SHOWN)
