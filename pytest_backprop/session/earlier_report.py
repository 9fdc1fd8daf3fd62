"""What a run of some submissions leaves as it is in a report on more of them.

A report is written whole. So the grades of those that this run does not grade are taken from the journal
beside it, and go into all its reports; where that cannot be, the run is refused before it begins.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import msgspec

from ..classroom import ClassPlan
from ..classroom.roster import Roster, RosterEntry
from ..errors import UsageProblem
from ..grading.assignment import student_of
from ..messages import say, say_count
from ..model import Grade
from ..options import ReportTarget
from ..reports import SINGLE
from ..reports.json_report import graded_paths
from ..resume.fingerprint import Entry
from .report_targets import is_device


def kept_grades(
    reports: Collection[ReportTarget],
    plan: ClassPlan,
    graded: Collection[str],
    past: Mapping[str, Entry],
    roster: Roster | None,
    unlike: Callable[[Entry], tuple[str, ...]],
) -> dict[str, Grade]:
    """The grades that stay, by path, where this run grades the submissions `graded`. `past` is the journal,
    `unlike` says what of a grade there is not as in this run.

    Raises UsageProblem where a submission of this run is in none of the reports, and where a grade cannot
    stay: the report would be on two classes, or on one by two measures.
    """
    target, held = _held(reports, past)
    rest = [path for path in sorted(held.difference(graded)) if not _is_gone(path, plan)]
    if target is None or not rest:
        return {}
    for path in sorted(graded):
        if path not in held:
            raise _refused(target, rest, say("{path} is not in it", path=path))
        if path in past and past[path].key.student != student_of(roster, path):
            raise _refused(
                target, rest, say("the roster names another student for {path}", path=path)
            )
    kept = {}
    for path in rest:
        entry = past.get(path)
        if entry is None:
            raise _refused(target, rest, say("the journal does not have {path}", path=path))
        reasons = list(unlike(entry))
        if [row.variant for row in rows_of(entry.grade, roster)] != _variants(entry.grade):
            reasons.append(say("the roster changed"))
        if reasons:
            told = say(
                "{path} was graded otherwise: {reason}", path=path, reason="; ".join(reasons)
            )
            raise _refused(target, rest, told)
        kept[path] = msgspec.structs.replace(entry.grade, taken_from="journal")
    return kept


def rows_of(grade: Grade, roster: Roster | None) -> list[RosterEntry]:
    """The rows of those who have a grade that is kept: this run may not know what an LMS says of them."""
    names = {grade.student, *(member.student for member in grade.members)}
    return [row for row in (() if roster is None else roster.entries) if row.student in names]


def _variants(grade: Grade) -> list[str | None]:
    students = len(grade.members) or (grade.student is not None)
    return [grade.variant] * students


def _held(
    reports: Collection[ReportTarget], past: Mapping[str, Entry]
) -> tuple[ReportTarget | None, set[str]]:
    """An earlier report that this run replaces, and the submissions in it: a JSON report says, for others
    the journal does."""
    there = [t for t in reports if t.format not in SINGLE and _is_written(t.path)]
    read = [target for target in there if target.format == "json"]
    if read:
        return read[0], {path for target in read for path in graded_paths(target.path)}
    return (there[0], set(past)) if there else (None, set())


def _is_written(path: Path) -> bool:
    if is_device(path) or not path.exists():
        return False
    return any(path.iterdir()) if path.is_dir() else path.stat().st_size > 0


def _is_gone(path: str, plan: ClassPlan) -> bool:
    """Whether what this run was given had that submission once, and has it no more."""
    whole = Path(os.path.join(plan.top, path))
    around = {str(whole), *map(str, whole.parents)}
    given = around.intersection(plan.given)
    if not given or path in plan.by_shown():
        return False
    return bool(around.intersection(plan.closed)) or not os.path.isfile(whole)


def _refused(target: ReportTarget, rest: list[str], reason: str) -> UsageProblem:
    return UsageProblem(
        say_count(
            "the report {report} has {count} more submission, as {path}, which this run does not grade: {reason}",
            "the report {report} has {count} more submissions, as {path}, which this run does not grade: "
            "{reason}",
            len(rest),
            report=target.path,
            path=rest[0],
            reason=reason,
        ),
        say(
            "grade the whole class, with --backprop-resume what is new alone; or give --backprop-report "
            "another path, or remove that report"
        ),
    )
