"""The class list: which student handed in which file, on which variant.

A wrong match gives one student another's grade. So a row matches by an id or e-mail that an LMS
vouches for, or when its path and the submission's agree on every part that both have; a tie is an
error, not a choice. Names match nobody: two students may share one, and a profile says anything.
"""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from msgspec import Struct

from ..errors import UsageProblem
from . import HandIn

COLUMNS = ("student", "submission", "variant")
MORE_COLUMNS = ("id", "email")
"""What a roster may have besides, for reports that an LMS matches to its own list, and to match
submissions that an LMS has named. With one of them `submission` may be left out."""
LATE_COLUMNS = ("submitted", "free_days", "due")
"""When it was handed in, how many free days the student has, and until when they may hand in if they were given
more time: for a rubric with `[late]`."""
ALSO_CALLED = {"submitted": ("submission time", "last modified (submission)")}
"""What Gradescope and Moodle call a column."""
_WAY_OUT = f"give --backprop-roster a CSV file with the columns {', '.join(COLUMNS)}"
_NOBODY: Mapping[str, HandIn] = MappingProxyType({})
SUFFIXES = (".py", ".ipynb")

Parts = tuple[str, ...]


class RosterEntry(Struct, frozen=True):
    """One row. `line` counts from 1 in the file; `variant` is in the form `v8`; what the roster does
    not tell is empty: `id`, `email`, `submission` if one of these is there, and the time at which it was
    `submitted`, as written, `free_days`, in digits, and the student's own `due`, as written."""

    student: str
    submission: str
    variant: str
    line: int
    id: str = ""
    email: str = ""
    submitted: str = ""
    free_days: str = ""
    due: str = ""


class Disputed(UsageProblem):
    """The `rows` of a roster contradict each other over a submission."""

    def __init__(self, rows: Iterable[RosterEntry], message: str, way_out: str) -> None:
        super().__init__(message, way_out)
        self.rows = tuple(rows)


class Roster(Struct, frozen=True):
    """The rows in file order. `notes` say what was guessed on reading (an encoding). `suffixes` are
    those of submissions, which a row need not have. `handed` has the submissions of which an LMS
    says whose they are, by path."""

    source: str
    entries: tuple[RosterEntry, ...]
    notes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = SUFFIXES
    handed: Mapping[str, HandIn] = _NOBODY

    def entry_for(self, path: Path | str) -> RosterEntry | None:
        """The row of a submission, of a group the first, None if there is none. Raises Disputed as
        `entries_for` does."""
        return next(iter(self.entries_for(path)), None)

    def entries_for(self, path: Path | str) -> tuple[RosterEntry, ...]:
        """The rows of those who handed a submission in: several of a group, on one variant.

        The rows with the id or e-mail that an LMS gives with the submission; else by path, and if no
        row fits the file's, by that of the student's folder or zip. Raises UsageProblem when two
        rows match equally well, or one by id and another by path, and for a group of two variants.
        """
        shown = os.fspath(path)
        handed = self.handed.get(shown)
        if handed is not None and len(group := self._by_people(handed)) > 1:
            return group
        row = self._by_path(shown) if handed is None else self._row_of(shown, handed)
        return () if row is None else (row,)

    def undisputed(self, path: Path | str) -> tuple[RosterEntry, ...]:
        """The same; none where rows contradict each other, which the submission's grade says."""
        try:
            return self.entries_for(path)
        except Disputed:
            return ()

    def _row_of(self, shown: str, handed: HandIn) -> RosterEntry | None:
        """The row of a submission that an LMS names."""
        person = next(iter(self._by_people(handed)), None)
        try:
            named = self._by_path(shown)
            if named is None and handed.place != shown:
                named = self._by_path(handed.place)
        except UsageProblem:
            if person is None:
                raise
            named = None
        if person is None:
            return None if named is None or self._is_elsewhere(named, handed) else named
        if named in (None, person):
            return person
        raise Disputed(
            (person, named),
            f"roster {self.source}: {shown!r} is of line {person.line} by its id or e-mail, and of "
            f"line {named.line} ({named.submission!r}) by its path",
            "mend the one that is wrong; the submission column may stay empty where there is an id",
        )

    def _is_elsewhere(self, row: RosterEntry, here: HandIn) -> bool:
        """Whether an LMS says that another submission is this row's student's."""
        return bool(here.people) and any(
            _same_id(row.id, person.id) or _same_email(row.email, person.email)
            for handed in self.handed.values()
            for person in handed.people
        )

    def _by_people(self, handed: HandIn) -> tuple[RosterEntry, ...]:
        """The rows of those whom an LMS names; one each."""
        found: dict[int, RosterEntry] = {}
        for person in handed.people:
            rows = [
                entry for entry in self.entries
                if _same_id(entry.id, person.id) or _same_email(entry.email, person.email)
            ]  # fmt: skip
            if len(rows) > 1:
                raise Disputed(
                    rows,
                    f"roster {self.source}: {handed.shown!r} is of line "
                    + " and of line ".join(f"{row.line} ({row.student})" for row in rows),
                    "a grade goes to one student: leave one id and e-mail of it in the roster",
                )
            found |= {row.line: row for row in rows}
        group = tuple(found[line] for line in sorted(found))
        if len({row.variant for row in group}) > 1:
            raise Disputed(
                group,
                f"roster {self.source}: {handed.shown!r} was handed in by a group on several variants: "
                + ", ".join(f"{row.student} on {row.variant}" for row in group),
                "give a group one variant",
            )
        return group

    def _by_path(self, path: str) -> RosterEntry | None:
        """Tried in turn: the row's path is the end of `path`, by whole parts; `path` is the end of
        the row's; the same without the suffix; the row names the folder that holds
        the file. Raises UsageProblem when two rows match equally well."""
        parts = _parts(path)
        bare = self._bare(parts)
        rows = [(e, _parts(e.submission)) for e in self.entries if e.submission]
        for found in (
            [(len(row), entry) for entry, row in rows if _ends(parts, row)],
            [(0, entry) for entry, row in rows if _ends(row, parts)],
            [(len(row), entry) for entry, row in rows if _ends(bare, self._bare(row))],
            [(0, entry) for entry, row in rows if _ends(self._bare(row), bare)],
            [(len(row), entry) for entry, row in rows if _ends(parts[:-1], row)],
        ):
            if found:
                longest = max(length for length, _ in found)
                best = [entry for length, entry in found if length == longest]
                if len(best) > 1:
                    raise Disputed(
                        best,
                        f"roster {self.source}: {path!r} matches "
                        + " and ".join(f"line {e.line} ({e.submission!r})" for e in best[:3]),
                        "write more of the path in the submission column",
                    )
                return best[0]
        return None

    def unmatched(self, paths: Iterable[Path | str]) -> tuple[RosterEntry, ...]:
        """The rows that none of `paths` belongs to: students without a submission.

        Raises UsageProblem as `entry_for` does.
        """
        matched = {entry.line for path in paths for entry in self.entries_for(path)}
        return tuple(entry for entry in self.entries if entry.line not in matched)

    def _bare(self, parts: Parts) -> Parts:
        """The parts without the file's suffix."""
        if not parts:
            return parts
        stem, suffix = os.path.splitext(parts[-1])
        return (*parts[:-1], stem) if suffix.lower() in self.suffixes else parts


def load_roster(
    path: Path, suffixes: tuple[str, ...] = SUFFIXES, handed: Mapping[str, HandIn] = _NOBODY
) -> Roster:
    """Read a roster: CSV with a header; `,`, `;` or tab between values; COLUMNS, MORE_COLUMNS and
    LATE_COLUMNS if they are there, other columns ignored. `handed` are submissions of known students.

    UTF-8 and UTF-16 (with its mark) are read as such, anything else as cp1251, with a note.
    Raises UsageProblem naming the line and the value: unreadable, empty, a missing column or
    value, a variant not of the form `v8`, the same student, submission, id or email twice.
    """
    text, notes = _text(path)
    rows = _rows(path, text)
    try:
        _, header = next(rows)
    except StopIteration:
        raise UsageProblem(f"roster {path} is empty", _WAY_OUT) from None
    at = _columns(path, header)
    entries = tuple(_entry(path, line, row, at) for line, row in rows)
    if not entries:
        raise UsageProblem(f"roster {path} has a header and no rows", "add a row for each student")
    _unique(path, "student", [(e.student, e.line) for e in entries])
    _unique(
        path,
        "submission",
        [("/".join(_parts(e.submission)), e.line) for e in entries if e.submission],
    )
    _unique(path, "id", [(e.id, e.line) for e in entries if e.id])
    _unique(path, "email", [(e.email.casefold(), e.line) for e in entries if e.email])
    suffixes = (*suffixes, ".zip")
    return Roster(str(path), entries, notes, suffixes, handed)


def read_rows(path: Path) -> tuple[str, list[tuple[int, list[str]]]]:
    """The delimiter of a CSV file and its rows that are not blank, the header first: (line, values).

    Encodings and errors as for `load_roster`.
    """
    text, _ = _text(path)
    return _delimiter(text), list(_rows(path, text))


def _text(path: Path) -> tuple[str, tuple[str, ...]]:
    """What a file says, and notes on its encoding."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageProblem(
            f"roster {path} cannot be read: {error.strerror or error}", _WAY_OUT
        ) from None
    if raw.startswith(b"PK\x03\x04"):
        raise UsageProblem(f"roster {path} is a spreadsheet or archive", "save it as CSV UTF-8")
    notes: tuple[str, ...] = ()
    try:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = raw.decode("utf-16")
        else:
            text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = raw.decode("cp1251")
        except UnicodeDecodeError as error:
            raise UsageProblem(
                f"roster {path} is neither UTF-8 nor cp1251 text (byte {error.start})",
                "save it as CSV UTF-8",
            ) from None
        notes = (f"roster {path} is not UTF-8; it was read as cp1251 (Windows Cyrillic)",)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UsageProblem(f"roster {path}, line {line}: not text (NUL)", "save it as CSV UTF-8")
    return unicodedata.normalize("NFC", text), notes


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """(line, stripped values) of every row that is not blank, header first."""
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    end = 0
    try:
        for row in reader:
            # A quoted value may span lines: a row starts after the end of the one before.
            line, end = end + 1, reader.line_num
            cells = [cell.strip() for cell in row]
            excel = line == 1 and text.lower().startswith("sep=")
            if any(cells) and not excel:
                yield line, cells
    except csv.Error as error:
        raise UsageProblem(
            f"roster {path}, line {reader.line_num}: not CSV ({error})",
            "close the quotes, or double those inside a value",
        ) from None


def _delimiter(text: str) -> str:
    """What stands between the header's values.

    Not by csv.Sniffer: it guesses from the students' names, and gets short files wrong.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[0].lower().startswith("sep="):
        lines = lines[1:]
    header = lines[0] if lines else ""
    return max(",;\t", key=header.count)


def _columns(path: Path, header: list[str]) -> dict[str, int]:
    own = {also: name for name, others in ALSO_CALLED.items() for also in others}
    names = [name.casefold() for name in header]
    names = [own[n] if n in own and own[n] not in names else n for n in names]
    needed = set(COLUMNS)
    if not needed.isdisjoint(names) and not set(MORE_COLUMNS).isdisjoint(names):
        needed.discard("submission")
    every = (*COLUMNS, *MORE_COLUMNS, *LATE_COLUMNS)
    for column in every:
        if names.count(column) > 1 or (column in needed and column not in names):
            what = "no" if column not in names else "more than one"
            raise UsageProblem(
                f"roster {path}: {what} column {column!r}; the header is {header!r}", _WAY_OUT
            )
    return {column: names.index(column) for column in every if column in names}


def _entry(path: Path, line: int, row: list[str], at: dict[str, int]) -> RosterEntry:
    values = {name: row[place] if place < len(row) else "" for name, place in at.items()}
    known = any(values.get(name) for name in MORE_COLUMNS)
    values.setdefault("submission", "")
    for name, value in values.items():
        if not value and name in COLUMNS and not (name == "submission" and known):
            raise UsageProblem(
                f"roster {path}, line {line}: the {name} is empty in {row!r}",
                "fill it in, or take the row out",
            )
    if values["submission"] and not _parts(values["submission"]):
        raise UsageProblem(
            f"roster {path}, line {line}: {values['submission']!r} is no submission",
            "write the name of the file, or of the folder that holds it",
        )
    found = re.fullmatch(r"[vV]?([0-9]{1,6})", values["variant"])
    if not found:
        raise UsageProblem(
            f"roster {path}, line {line}: {values['variant']!r} is no variant",
            "write it as v8",
        )
    free = values.get("free_days", "")
    if free and not re.fullmatch("[0-9]{1,4}", free):
        raise UsageProblem(
            f"roster {path}, line {line}: free_days is {free!r}",
            "write how many free days the student has, as 2, or leave it empty",
        )
    submitted = values.get("submitted", "")
    return RosterEntry(
        student=values["student"],
        submission=values["submission"],
        variant=f"v{int(found[1])}",
        line=line,
        id=values.get("id", ""),
        email=values.get("email", ""),
        submitted="" if submitted == "-" else submitted,
        free_days=free,
        due="" if values.get("due") == "-" else values.get("due", ""),
    )


def _unique(path: Path, column: str, values: list[tuple[str, int]]) -> None:
    first: dict[str, int] = {}
    for value, line in values:
        if value in first:
            raise UsageProblem(
                f"roster {path}, line {line}: {column} {value!r} is on line {first[value]} too",
                "keep one row for each student and each submission",
            )
        first[value] = line


def _parts(text: str) -> Parts:
    # NFC: macOS archives spell Cyrillic names in two code points a letter.
    text = unicodedata.normalize("NFC", text).replace("\\", "/")
    return tuple(part for part in PurePosixPath(text).parts if part != "/")


def _same_id(own: str, given: str) -> bool:
    """Whether an id of the roster is one of an LMS. Moodle's worksheet writes `Participant 123`, in
    its users' language."""
    numbered = re.fullmatch(r"[^\W\d_]+ +([0-9]+)", own)
    return bool(given) and given in (own, numbered[1] if numbered else own)


def _same_email(own: str, given: str) -> bool:
    return bool(given) and own.casefold() == given.casefold()


def _ends(whole: Parts, tail: Parts) -> bool:
    return bool(tail) and whole[-len(tail) :] == tail
