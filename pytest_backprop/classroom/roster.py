"""The class list: which student handed in which file, on which variant.

A wrong match gives one student another's grade. So a row matches by an id or e-mail that an LMS
vouches for, or when it has the whole path of a submission from the graded folder on: a student can
call a folder or a file in a folder of theirs what another's is called. A tie is an error, not a
choice."""

from __future__ import annotations

import functools
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from msgspec import Struct

from ..errors import UsageProblem
from . import HandIn, Person
from .archives import Parts, shared
from .names import SUBMISSIONS

NOBODY: Mapping[str, HandIn] = MappingProxyType({})


class RosterEntry(Struct, frozen=True):
    """One row. `line` counts from 1 in the file; `variant` is in the form `v8`; what the roster
    does not tell is empty: `variant` where nobody asks, `id`, `email`, `submission` if one of these
    is there, and the time at which it was `submitted`, as written, `free_days`, in digits, and the
    student's own `due`, as written."""

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
    says whose they are, by path. `top` is the folder that paths are relative to, `folder` the whole
    path of the one that is graded. `participants` has the lines of those whom Moodle's worksheet
    tells, by Moodle's number."""

    source: str
    entries: tuple[RosterEntry, ...]
    notes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = SUBMISSIONS
    handed: Mapping[str, HandIn] = NOBODY
    top: str = ""
    folder: str = ""
    participants: Mapping[str, tuple[int, ...]] = {}

    def entry_for(self, path: Path | str) -> RosterEntry | None:
        """The row of a submission, of a group the first, None if there is none. Raises Disputed as
        `entries_for` does."""
        return next(iter(self.entries_for(path)), None)

    def entries_for(self, path: Path | str) -> tuple[RosterEntry, ...]:
        """The rows of those who handed a submission in: several of a group, on one variant.

        The rows with the id or e-mail that an LMS gives with the submission; else the row of the
        file's path or, if none fits, of the student's folder or zip. Raises Disputed when two rows
        match equally well, or one by id and another by path, and for a group of two variants."""
        shown = os.fspath(path)
        handed = self.handed.get(shown)
        people = () if handed is None else self._by_people(handed)
        if len(people) > 1:
            return people
        try:
            named = self._by_path(shown)
            if named is None and handed is not None and handed.place != shown:
                named = self._by_path(handed.place)
        except Disputed:
            if not people:
                raise
            named = None
        if people and named is not None and named != people[0]:
            raise Disputed(
                (people[0], named),
                f"roster {self.source}: {shown!r} is of line {people[0].line} by its id or e-mail, "
                f"and of line {named.line} ({named.submission!r}) by its path",
                "mend the one that is wrong; "
                "the submission column may stay empty where there is an id",
            )
        return people or (() if named is None else (named,))

    def undisputed(self, path: Path | str) -> tuple[RosterEntry, ...]:
        """The same; none where rows contradict each other, which the submission's grade says."""
        try:
            return self.entries_for(path)
        except Disputed:
            return ()

    def _by_people(self, handed: HandIn) -> tuple[RosterEntry, ...]:
        """The rows of those whom an LMS names; one each."""
        by_line: dict[int, RosterEntry] = {}
        for person in handed.people:
            rows = self._rows_of(person)
            if len(rows) > 1:
                raise Disputed(
                    rows,
                    f"roster {self.source}: {handed.shown!r} is of line "
                    + " and of line ".join(f"{row.line} ({row.student})" for row in rows),
                    "a grade goes to one student: leave one id and e-mail of it in the roster",
                )
            by_line |= {row.line: row for row in rows}
        group = tuple(by_line[line] for line in sorted(by_line))
        if len({row.variant for row in group}) > 1:
            raise Disputed(
                group,
                f"roster {self.source}: {handed.shown!r} was handed in by a group on several "
                "variants: " + ", ".join(f"{row.student} on {row.variant}" for row in group),
                "give a group one variant",
            )
        return group

    def _rows_of(self, person: Person) -> list[RosterEntry]:
        """The rows that have the number or e-mail that an LMS tells of a student."""
        lines = self.participants.get(person.id)
        if lines is not None:
            return [entry for entry in self.entries if entry.line in lines]
        return [
            entry
            for entry in self.entries
            if same_id(entry.id, person.id) or same_email(entry.email, person.email)
        ]

    def _by_path(self, path: str) -> RosterEntry | None:
        """The row that has the whole path from the graded folder on, or more of it; else with
        another suffix or none; else the whole path of the folder that holds the file. Raises
        Disputed when two rows match equally well."""
        parts = parts_of(os.path.join(self.top, path))
        inner = len(parts) - shared(parts, parts_of(self.folder))
        for whole, least, form in (
            (parts, inner, tuple),
            (self._bare(parts), inner, self._bare),
            (parts[:-1], inner - 1, tuple),
        ):
            fits: dict[int, list[RosterEntry]] = {}
            for entry in self.entries:
                row = form(parts_of(entry.submission))
                if row and len(row) >= least and whole[-len(row) :] == row:
                    fits.setdefault(len(row), []).append(entry)
            rows = fits[max(fits)] if fits else []
            if len(rows) > 1:
                raise Disputed(
                    rows,
                    f"roster {self.source}: {path!r} matches "
                    + " and ".join(f"line {e.line} ({e.submission!r})" for e in rows[:3]),
                    "write more of the path in the submission column",
                )
            if rows:
                return rows[0]
        return None

    def _bare(self, parts: Parts) -> Parts:
        """The parts without the file's suffix."""
        if not parts:
            return parts
        stem, suffix = os.path.splitext(parts[-1])
        return (*parts[:-1], stem) if suffix.lower() in self.suffixes else parts


@functools.cache
def parts_of(text: str) -> Parts:
    """Folders, then the name, as rosters are compared with paths."""
    # NFC: macOS archives spell Cyrillic names in two code points a letter.
    text = unicodedata.normalize("NFC", text).replace("\\", "/")
    return tuple(part for part in PurePosixPath(text).parts if part.strip("/"))


def same_id(own: str, other: str) -> bool:
    """Whether an id of the roster is one of an LMS. Moodle's worksheet writes `Participant 123`, in
    its users' language."""
    numbered = re.fullmatch(r"[^\W\d_]+ +([0-9]+)", own)
    return bool(other) and other in (own, numbered[1] if numbered else own)


def same_email(own: str, other: str) -> bool:
    """Whether two e-mails are one."""
    return bool(other) and own.casefold() == other.casefold()
