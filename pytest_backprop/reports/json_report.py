"""The JSON report and its published JSON Schema; and reading one back: is it ours, whose grades has
it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UsageProblem
from ..messages import say
from .document import SCHEMA_VERSION, Document, SubmissionEntry
from .entries import cleaned
from .text import one_line

SCHEMA_FILE = Path(__file__).with_name("schema-v1.json")
"""The schema as shipped; `schema_text` makes it."""
LISTED = 10
"""Submissions that an error names, at most."""
OURS = (SCHEMA_VERSION, "pytest-backprop")
"""How a report of ours begins."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a file that is no report may raise when it is decoded."""


def render(document: Document) -> str:
    """The report as JSON: keys in schema order, indented by 2, ending in a line break."""
    return _text(msgspec.to_builtins(document))


def schema_text() -> str:
    """What `SCHEMA_FILE` must hold: the JSON Schema (2020-12) of the report, made from the
    types."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pytest-backprop report, schema version 1",
    }
    return _text(head | msgspec.json.schema(Document))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


# -- reading one back -----------------------------------------------------------------------------


class _Head(msgspec.Struct):
    """What tells our reports from other JSON, in all versions."""

    schema_version: int
    tool: dict[str, object]


def read_report(path: Path) -> Document:
    """A report that `render` wrote. Raises UsageProblem for anything else, saying what it is."""
    way_out = say("give the file that --backprop-report json:FILE wrote")
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        message = say("report {path} cannot be read: {reason}", path=path, reason=reason)
        raise UsageProblem(message, way_out) from None
    try:
        head = msgspec.json.decode(data, type=_Head)
    except UNREADABLE:
        head = None
    if head is None or head.tool.get("name") != "pytest-backprop":
        raise UsageProblem(say("{path} is no report of pytest-backprop", path=path), way_out)
    if head.schema_version > SCHEMA_VERSION:
        raise UsageProblem(
            say(
                "report {path} is of version {found}; this program reads version {known}",
                path=path,
                found=head.schema_version,
                known=SCHEMA_VERSION,
            ),
            say("install the pytest-backprop that made it, or a later one"),
        )
    try:
        return msgspec.json.decode(data, type=Document)
    except UNREADABLE as error:
        raise UsageProblem(
            say("report {path} is damaged: {reason}", path=path, reason=one_line(str(error))),
            say("grade again, with --backprop-report json:FILE"),
        ) from None


def graded_paths(path: Path) -> list[str]:
    """The submissions whose grades are in a report; none where there is no file or an empty one.
    Raises UsageProblem for a file that is no report of ours."""
    try:
        raw = path.read_bytes() if path.exists() else b""
        report = msgspec.json.decode(raw) if raw else {"submissions": []}
        if raw and (report["schema_version"], report["tool"]["name"]) != OURS:
            raise ValueError
        return [entry["path"] for entry in report["submissions"]]
    except (OSError, *UNREADABLE, ValueError, KeyError, TypeError):
        raise UsageProblem(
            say("{path} is there, and is no report of this version of pytest-backprop", path=path),
            say("give --backprop-report another path, or remove that file"),
        ) from None


def choose(document: Document, student: str | None, submission: str | None) -> SubmissionEntry:
    """The one entry that is asked for, cleaned: a student's by name, id or e-mail, or by its path.
    The whole of it wins over a part, letters' case does not count.

    Raises UsageProblem for none, with the nearest there are, and for several, with a list.
    """
    entries = list(document.submissions)
    if not entries:
        way_out = say("give the file that --backprop-report json:FILE wrote")
        raise UsageProblem(say("the report has no submissions"), way_out)
    if student is not None:
        entries = _matching(entries, student, lambda e: [e.student, e.student_id, e.email])
    if submission is not None:
        entries = _matching(entries, submission, lambda e: [e.path, e.path.rpartition("/")[2]])
    if len(entries) > 1:
        titles = [f"{e.path} ({e.student})" if e.student else e.path for e in entries[:LISTED]]
        listed = [*map(one_line, titles), *(["…"] if len(entries) > LISTED else [])]
        raise UsageProblem(
            say("{count} submissions match:", count=len(entries))
            + "".join(f"\n    {title}" for title in listed),
            say("choose one with --student NAME or --submission PATH"),
        )
    entry: SubmissionEntry = cleaned(entries[0], SubmissionEntry)
    return entry


def _matching(
    entries: list[SubmissionEntry],
    wanted: str,
    texts_of: Callable[[SubmissionEntry], list[str | None]],
) -> list[SubmissionEntry]:
    key = wanted.casefold()
    texts = [[text.casefold() for text in texts_of(entry) if text] for entry in entries]
    for matches in (lambda text: key == text, lambda text: key in text):
        matching = [e for e, own in zip(entries, texts, strict=True) if any(map(matches, own))]
        if matching:
            return matching
    spelled = {text.casefold(): text for entry in entries for text in texts_of(entry) if text}
    near = difflib.get_close_matches(key, spelled, 3, 0.5)
    raise UsageProblem(
        say("the report has nothing of {asked}", asked=repr(wanted)),
        say("did you mean {names}?", names=", ".join(one_line(spelled[n]) for n in near))
        if near
        else say("without --student and --submission, all that it has are listed"),
    )
