"""Reads a roster, a CSV file of a teacher's, from a spreadsheet program as a rule; and holds
Moodle's grading worksheet against it.

Moodle's export names students by numbers of its own, which no university knows. The worksheet of
the same assignment says whose they are, by e-mail and by id number. Its full names are not gone by:
they are what a profile says."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import say
from ..model.formats import EMAIL, ID_NUMBER, IDENTIFIER
from ..ordinary_files import TABLE, teachers_bytes, unicode_text
from . import HandIn
from .names import SUBMISSIONS
from .roster import NOBODY, Roster, RosterEntry, parts_of, same_email, same_id

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
    email twice."""
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

    Encodings and errors as for `load_roster`."""
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
    names are."""
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


# -- Moodle's worksheet -------------------------------------------------------------------------


class Participant(Struct, frozen=True):
    """A row of a worksheet: Moodle's number, as its export has it, and what else is told."""

    number: str
    id: str = ""
    email: str = ""


def read_worksheet(path: Path) -> list[Participant]:
    """The rows of a worksheet; none for any other file."""
    try:
        _, ((_, header), *rows), _ = read_rows(path)
    except (UsageProblem, ValueError):
        return []
    columns = [name.casefold() for name in header]
    number, id_number, email = (
        next((columns.index(name) for name in names if name in columns), None)
        for names in (IDENTIFIER, ID_NUMBER, EMAIL)
    )
    if number is None or (id_number is None and email is None):
        return []
    participants = []
    for _, row in rows:
        cells = [
            "" if at is None else "".join(row[at : at + 1]) for at in (number, id_number, email)
        ]
        if match := re.fullmatch(r"\D*([0-9]+)", cells[0]):
            participants.append(Participant(match[1], cells[1], cells[2]))
    return participants


def join_worksheets(
    entries: Sequence[RosterEntry], paths: Iterable[str], numbers: Collection[str]
) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    """The lines of a roster by Moodle's numbers, none for a number that is nobody's there, or not
    for certain; and notes on how many were joined by what. Of some CSV files it takes the
    worksheets of the class in which `numbers`, Moodle's, are of those who handed in: each
    assignment has numbers of its own, and a worksheet of its own.

    A row and a number belong together if one of the number, the e-mail and the id number is the
    same, and none of them is another's."""
    read = {path: read_worksheet(Path(path)) for path in paths}
    sheets = {path: rows for path, rows in read.items() if any(r.number in numbers for r in rows)}
    participants = list(dict.fromkeys(one for rows in sheets.values() for one in rows))
    if not participants:
        return {}, ()
    keys: dict[str, dict[int, str]] = {one.number: {} for one in participants}
    for one in participants:
        for entry in entries:
            if key := _key(entry, one):
                keys[one.number].setdefault(entry.line, key)
    times = Counter(line for lines in keys.values() for line in lines)
    lines = {
        number: () if any(times[line] > 1 for line in fitting) else tuple(fitting)
        for number, fitting in keys.items()
    }
    single = {number: fitting[0] for number, fitting in lines.items() if len(fitting) == 1}
    counts = Counter(keys[number][line] for number, line in single.items())
    note = say(
        "roster: {count} of {all} students are in Moodle's worksheet {file} ({how})",
        count=counts.total(),
        all=len(entries),
        file=", ".join(Path(path).name for path in sheets),
        how=", ".join(f"{count} {key}" for key, count in counts.most_common()) or "-",
    )
    return lines, (note,)


def _key(entry: RosterEntry, participant: Participant) -> str:
    """By what a row of the roster is a participant's; empty if it is not."""
    if same_email(entry.email, participant.email):
        return say("by e-mail")
    if participant.id and entry.id.casefold() == participant.id.casefold():
        return say("by id number")
    return say("by Moodle's number") if same_id(entry.id, participant.number) else ""
