"""The class list: which student handed in which file, on which variant.

A wrong match gives one student another's grade. So a row matches by an id or e-mail that an LMS
vouches for, or when its path and the submission's agree on every part that both have; a tie is an
error, not a choice. Names match nobody: two students may share one, and a profile says anything.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from msgspec import Struct

from ..errors import UsageProblem
from . import HandIn

NOBODY: Mapping[str, HandIn] = MappingProxyType({})
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
    handed: Mapping[str, HandIn] = NOBODY

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
        parts = parts_of(path)
        bare = self._bare(parts)
        rows = [(e, parts_of(e.submission)) for e in self.entries if e.submission]
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


def parts_of(text: str) -> Parts:
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
