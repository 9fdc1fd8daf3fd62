"""Reads a roster: a CSV file of a teacher's, from a spreadsheet program as a rule."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import UsageProblem
from ..messages import say
from ..ordinary_files import TABLE, teachers_bytes, unicode_text
from . import HandIn
from .names import SUBMISSIONS
from .roster import NOBODY, Roster, RosterEntry, parts_of

COLUMNS = ("student", "submission", "variant")
MORE_COLUMNS = ("id", "email")
"""What a roster may have besides, for reports that an LMS matches to its own list, and to match
submissions that an LMS has named. With one of them `submission` may be left out."""
LATE_COLUMNS = ("submitted", "free_days", "due")
"""When it was handed in, how many free days the student has, and until when they may hand in if
they were given more time: for a rubric with `[late]`."""
SUBMITTED = ("submission time", "last modified (submission)")
"""What Gradescope and Moodle call the column `submitted`."""
_WAY_OUT = f"give --backprop-roster a CSV file with the columns {', '.join(COLUMNS)}"


def load_roster(
    path: Path,
    suffixes: tuple[str, ...] = SUBMISSIONS,
    handed: Mapping[str, HandIn] = NOBODY,
    variants: bool = True,
) -> Roster:
    """Read a roster: CSV with a header; `,`, `;` or tab between values; COLUMNS, MORE_COLUMNS and
    LATE_COLUMNS if they are there, other columns ignored. `handed` are submissions of known
    students; without `variants` nobody asks for that column.

    UTF-8 and UTF-16 (with its mark) are read as such, cp1251 with a note if it can be nothing else.
    Raises UsageProblem naming the line and the value: unreadable, another encoding, empty, a
    missing column or value, a variant not of the form `v8`, the same student, submission, id or
    email twice.
    """
    _, rows, notes = read_rows(path)
    if not rows:
        raise UsageProblem(f"roster {path} is empty", _WAY_OUT)
    (_, header), *rows = rows
    at = _columns(path, header, variants)
    entries = tuple(_entry(path, line, row, at) for line, row in rows)
    if not entries:
        raise UsageProblem(f"roster {path} has a header and no rows", "add a row for each student")
    _check_once(path, entries)
    return Roster(str(path), entries, notes, (*suffixes, ".zip"), handed)


def read_rows(path: Path) -> tuple[str, list[tuple[int, list[str]]], tuple[str, ...]]:
    """The delimiter of a CSV file, its rows that are not blank, the header first, each as (line,
    values without blanks around them), and notes on its encoding.

    Encodings and errors as for `load_roster`.
    """
    text, notes = _text(path)
    lines = [line for line in text.splitlines() if line.strip()]
    from_excel = bool(lines) and lines[0].lower().startswith("sep=")
    # not by csv.Sniffer, which guesses from the students' names, and gets short files wrong
    delimiter = max(",;\t", key="".join(lines[from_excel : from_excel + 1]).count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    end = 0
    try:
        for row in reader:
            # A quoted value may span lines: a row starts after the end of the one before.
            line, end = end + 1, reader.line_num
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append((line, cells))
    except csv.Error as error:
        raise UsageProblem(
            f"roster {path}, line {reader.line_num}: not CSV ({error})",
            "close the quotes, or double those inside a value",
        ) from None
    return delimiter, rows[from_excel:], notes


def _text(path: Path) -> tuple[str, tuple[str, ...]]:
    """What a file says, and notes on its encoding."""
    raw = teachers_bytes(path, "roster", _WAY_OUT, TABLE)
    if raw.startswith(b"PK\x03\x04"):
        raise UsageProblem(f"roster {path} is a spreadsheet or archive", "save it as CSV UTF-8")
    notes: tuple[str, ...] = ()
    try:
        text = unicode_text(raw)
    except UnicodeDecodeError as error:
        text = _windows_cyrillic(raw)
        if not text:
            raise UsageProblem(
                f"roster {path} is not UTF-8 text (byte {error.start}), "
                "and its encoding cannot be told",
                "save it as CSV UTF-8: in Excel, Save As, CSV UTF-8 (Comma delimited)",
            ) from None
        notes = (say("roster {path}: read as cp1251 (Windows Cyrillic), not UTF-8", path=path),)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UsageProblem(f"roster {path}, line {line}: not text (NUL)", "save it as CSV UTF-8")
    return unicodedata.normalize("NFC", text), notes


def _windows_cyrillic(raw: bytes) -> str:
    """The text of a file that is cp1251 without a doubt, as Excel saves it on a Russian Windows;
    else none.

    Of another encoding, words have Latin letters between Cyrillic ones, small letters before
    capitals, or signs. So all must be whole, and one a capital with two small letters or more, as
    names are.
    """
    try:
        text = raw.decode("cp1251")
    except UnicodeDecodeError:
        return ""
    capitals, small = "А-ЯЁІЇЄҐЎ", "а-яёіїєґў"
    words = [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]
    signs = {c for c in text if not c.isascii() and not c.isalpha()} - set("«»№–—\xa0")
    whole = all(re.fullmatch(f"[{capitals}]*[{small}]*", word) for word in words)
    named = any(re.fullmatch(f"[{capitals}][{small}]{{2,}}", word) for word in words)
    return text if whole and named and not signs else ""


def _columns(path: Path, header: list[str], variants: bool) -> dict[str, int]:
    names = [name.casefold() for name in header]
    if "submitted" not in names:
        names = ["submitted" if name in SUBMITTED else name for name in names]
    needed = set(COLUMNS if variants else COLUMNS[:2])
    if not needed.isdisjoint(names) and not set(MORE_COLUMNS).isdisjoint(names):
        needed.discard("submission")
    every = (*COLUMNS, *MORE_COLUMNS, *LATE_COLUMNS)
    for column in every:
        if names.count(column) > 1 or (column in needed and column not in names):
            what = "no" if column not in names else "more than one"
            raise UsageProblem(
                f"roster {path}: {what} column {column!r}; the header is {header!r}", _WAY_OUT
            )
    return {c: names.index(c) for c in every if c in names and (variants or c != "variant")}


def _entry(path: Path, line: int, row: list[str], at: dict[str, int]) -> RosterEntry:
    values = {name: row[place] if place < len(row) else "" for name, place in at.items()}
    has_key = any(values.get(name) for name in MORE_COLUMNS)
    values.setdefault("submission", "")
    for name, value in values.items():
        if not value and name in COLUMNS and not (name == "submission" and has_key):
            raise UsageProblem(
                f"roster {path}, line {line}: the {name} is empty in {row!r}",
                "fill it in, or take the row out",
            )
    if values["submission"] and not parts_of(values["submission"]):
        raise UsageProblem(
            f"roster {path}, line {line}: {values['submission']!r} is no submission",
            "write the name of the file, or of the folder that holds it",
        )
    variant = re.fullmatch(r"[vV]?([0-9]{1,6})", values.get("variant", "0"))
    if not variant:
        raise UsageProblem(
            f"roster {path}, line {line}: {values['variant']!r} is no variant", "write it as v8"
        )
    free = values.get("free_days", "")
    if free and not re.fullmatch("[0-9]{1,4}", free):
        raise UsageProblem(
            f"roster {path}, line {line}: free_days is {free!r}",
            "write how many free days the student has, as 2, or leave it empty",
        )
    for name in ("submitted", "due"):
        if values.get(name) == "-":
            values[name] = ""
    name = f"v{int(variant[1])}" if "variant" in values else ""
    return RosterEntry(**{**values, "variant": name}, line=line)


def _check_once(path: Path, entries: Iterable[RosterEntry]) -> None:
    """A student, a submission, an id and an e-mail are on one line each."""
    first: dict[tuple[str, str], int] = {}
    for entry in entries:
        for column, value in (
            ("student", entry.student),
            ("submission", "/".join(parts_of(entry.submission))),
            ("id", entry.id),
            ("email", entry.email.casefold()),
        ):
            line = first.setdefault((column, value), entry.line)
            if value and line != entry.line:
                raise UsageProblem(
                    f"roster {path}, line {entry.line}: {column} {value!r} is on line {line} too",
                    "keep one row for each student and each submission",
                )
