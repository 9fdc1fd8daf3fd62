"""Reading a JSON report back: is it ours, and whose grades are in it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ..errors import UsageProblem
from ..messages import say
from ..model import CheckResult, Finding, Grade, GradedCheck, GroupMember, Place
from .document import SCHEMA_VERSION, CheckEntry, Document, FindingEntry, SubmissionEntry
from .text import one_line

LISTED = 10
"""Submissions that an error names, at most."""


class _Head(msgspec.Struct):
    """What tells our reports from other JSON, in all versions."""

    schema_version: int
    tool: dict[str, object]


def read_report(path: Path) -> Document:
    """A report that `json_report` wrote. Raises UsageProblem for anything else, saying what it is."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageProblem(
            say("report {path} cannot be read: {reason}", path=path,
                reason=error.strerror or str(error)),
            _way_out(),
        ) from None  # fmt: skip
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        head = None
    if head is None or head.tool.get("name") != "pytest-backprop":
        raise UsageProblem(say("{path} is no report of pytest-backprop", path=path), _way_out())
    if head.schema_version > SCHEMA_VERSION:
        raise UsageProblem(
            say("report {path} is of version {found}; this program reads version {known}",
                path=path, found=head.schema_version, known=SCHEMA_VERSION),
            say("install the pytest-backprop that made it, or a later one"),
        )  # fmt: skip
    try:
        return msgspec.json.decode(data, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageProblem(
            say("report {path} is damaged: {reason}", path=path, reason=one_line(str(error))),
            say("grade again, with --backprop-report json:FILE"),
        ) from None


class _Path(msgspec.Struct):
    path: str


class _Paths(msgspec.Struct):
    submissions: list[_Path]


def check_replaceable(path: Path) -> None:
    """Raises UsageProblem if there is a file and it does not begin as our JSON reports do: a quick look."""
    try:
        with open(path, "rb") as file:
            start = file.read(200)
    except OSError:
        return  # one that is not there yet, most likely; who writes it says what else is wrong
    ours = (
        rb'\s*\{\s*"schema_version": %d,\s*"tool": \{\s*"name": "pytest-backprop"' % SCHEMA_VERSION
    )
    if start and re.match(ours, start) is None:
        raise _not_replaceable(path)


def graded_paths(path: Path) -> list[str]:
    """The submissions whose grades are in a report. Raises UsageProblem for a file that is no report of ours."""
    try:
        return [e.path for e in msgspec.json.decode(path.read_bytes(), type=_Paths).submissions]
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _not_replaceable(path) from None


def _not_replaceable(path: Path) -> UsageProblem:
    return UsageProblem(
        say("{path} is there, and is no report of this version of pytest-backprop", path=path),
        say("give --backprop-report another path, or remove that file"),
    )


def _way_out() -> str:
    return say("give the file that --backprop-report json:FILE wrote")


def choose(document: Document, student: str | None, submission: str | None) -> SubmissionEntry:
    """The one entry that is asked for: a student's by name, id or e-mail, or by its path. The whole
    of it wins over a part, letters' case does not count.

    Raises UsageProblem for none, with the nearest there are, and for several, with a list.
    """
    found = list(document.submissions)
    if not found:
        raise UsageProblem(say("the report has no submissions"), _way_out())
    for asked, texts_of in ((student, _names), (submission, _paths)):
        if asked is not None:
            found = _matching(found, asked, texts_of)
    if len(found) > 1:
        listed = [*map(_title, found[:LISTED]), *(["…"] if len(found) > LISTED else [])]
        raise UsageProblem(
            say("{count} submissions match:", count=len(found))
            + "".join(f"\n    {t}" for t in listed),
            say("choose one with --student NAME or --submission PATH"),
        )
    return found[0]


def _matching(
    entries: Sequence[SubmissionEntry], asked: str, texts_of: Callable[[SubmissionEntry], list[str]]
) -> list[SubmissionEntry]:
    wanted = asked.casefold()
    texts = [(entry, [text.casefold() for text in texts_of(entry)]) for entry in entries]
    for found in (
        [entry for entry, of in texts if wanted in of],
        [entry for entry, of in texts if any(wanted in text for text in of)],
    ):
        if found:
            return found
    known = {text.casefold(): text for entry in entries for text in texts_of(entry)}
    near = difflib.get_close_matches(wanted, known, 3, 0.5)
    raise UsageProblem(
        say("the report has nothing of {asked}", asked=repr(asked)),
        say("did you mean {names}?", names=", ".join(one_line(known[n]) for n in near))
        if near
        else say("without --student and --submission, all that it has are listed"),
    )


def _names(entry: SubmissionEntry) -> list[str]:
    return [text for text in (entry.student, entry.student_id, entry.email) if text]


def _paths(entry: SubmissionEntry) -> list[str]:
    return [entry.path, entry.path.rpartition("/")[2]]


def _title(entry: SubmissionEntry) -> str:
    return one_line(f"{entry.path} ({entry.student})" if entry.student else entry.path)


def grade_of(entry: SubmissionEntry) -> Grade:
    """The grade that an entry tells, for what shows grades."""
    return Grade(
        path=entry.path,
        student=entry.student,
        variant=entry.variant,
        variant_source=entry.variant_source,
        status=entry.status,
        message=entry.message,
        checks=tuple(map(_check, entry.checks)),
        score=entry.score,
        max_score=entry.max_score,
        seconds=entry.seconds,
        notes=tuple(entry.notes),
        student_id=entry.student_id,
        email=entry.email,
        members=tuple(GroupMember(m.student, m.student_id, m.email) for m in entry.members),
    )


def _check(entry: CheckEntry) -> GradedCheck:
    share = entry.score / entry.max_score if entry.max_score else float(entry.outcome == "passed")
    findings = tuple(map(_finding, entry.findings))
    result = CheckResult(entry.id, entry.outcome, share, entry.message, entry.basis, findings,
                         entry.details)  # fmt: skip
    return GradedCheck(result, entry.score, entry.max_score, entry.visibility)


def _finding(entry: FindingEntry) -> Finding:
    place = None
    if entry.path is not None and entry.line is not None:
        source, count = entry.source or "", entry.execution_count
        place = Place(entry.path, entry.line, entry.column, entry.cell, source, count)
    return Finding(entry.kind, entry.message, entry.level, place, entry.name, entry.hint)
