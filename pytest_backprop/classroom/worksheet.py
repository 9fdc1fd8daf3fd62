"""Moodle's grading worksheet, held against the roster.

Moodle's export names students by numbers of its own, which no university knows. The worksheet of the
same assignment says whose they are: by e-mail, by id number, by name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import phrase, say
from ..model.formats import EMAIL, FULL_NAME, ID_NUMBER, IDENTIFIER
from .roster import RosterEntry, same_email, same_id
from .roster_file import read_rows

BY_EMAIL, BY_ID_NUMBER = phrase("by e-mail"), phrase("by id number")


class Participant(Struct, frozen=True):
    """A row of a worksheet: Moodle's number, as its export has it, and what else is told."""

    number: str
    id: str = ""
    email: str = ""
    name: str = ""


class Joined(Struct, frozen=True):
    """The lines of the roster by Moodle's numbers: none for a number that is nobody's there, or not for
    certain. `notes` say how many were joined by what."""

    lines: dict[str, tuple[int, ...]]
    notes: tuple[str, ...] = ()


def read_worksheet(path: Path) -> list[Participant]:
    """The rows of a worksheet; none for any other file."""
    try:
        _, ((_, header), *rows) = read_rows(path)
    except (UsageProblem, ValueError):
        return []
    names = [name.casefold() for name in header]
    at = [next((names.index(n) for n in known if n in names), None)
          for known in (IDENTIFIER, ID_NUMBER, EMAIL, FULL_NAME)]  # fmt: skip
    if at[0] is None or at[1:] == [None, None, None]:
        return []
    cells = ([row[n] if n is not None and n < len(row) else "" for n in at] for _, row in rows)
    return [
        Participant(numbered[1], *others)
        for identifier, *others in cells
        if (numbered := re.fullmatch(r"\D*([0-9]+)", identifier)) is not None
    ]


def join(entries: Sequence[RosterEntry], paths: Iterable[str], numbers: Collection[str]) -> Joined:
    """Joins the worksheets among some CSV files with a roster: those of the class in which `numbers`, Moodle's, are
    of those who handed in. Each assignment has numbers of its own, and a worksheet of its own.

    A row and a number belong together if one of the number, the e-mail and the id number is the same,
    and none of them is another's; if none is, by a full name that is nobody else's on either side. Where
    others of the class are joined by e-mail or id number, these may not differ.
    """
    read = {path: read_worksheet(Path(path)) for path in paths}
    sheets = {path: rows for path, rows in read.items() if any(r.number in numbers for r in rows)}
    participants = list(dict.fromkeys(one for rows in sheets.values() for one in rows))
    if not participants:
        return Joined({})
    fits: dict[str, dict[int, str]] = {one.number: {} for one in participants}
    for one, entry, how in _by_keys(entries, participants):
        fits[one.number].setdefault(entry.line, how)
    times = Counter(line for lines in fits.values() for line in lines)
    taken = set(times)
    several = {line for line, count in times.items() if count > 1}
    used = {how for lines in fits.values() for how in lines.values()}
    for one, entry in _by_name(entries, participants):
        differ = (entry.email and one.email and say(BY_EMAIL) in used) or (
            entry.id and one.id and say(BY_ID_NUMBER) in used
        )
        if not (fits[one.number] or entry.line in taken or differ):
            fits[one.number][entry.line] = say("by name")
    lines = {
        number: () if several.intersection(rows) else tuple(rows) for number, rows in fits.items()
    }
    hows = Counter(how for number, rows in fits.items() if len(lines[number]) == 1
                   for how in rows.values())  # fmt: skip
    notes = [
        say(
            "roster: {count} of {all} students are in Moodle's worksheet {file} ({how})",
            count=hows.total(),
            all=len(entries),
            file=", ".join(Path(path).name for path in sheets),
            how=", ".join(f"{count} {how}" for how, count in hows.most_common()) or "-",
        )
    ]
    notes += [
        say(
            "roster: line {line} ({student}) fits several rows of the worksheet, and is joined to none",
            line=entry.line,
            student=entry.student,
        )
        for entry in entries
        if entry.line in several
    ]
    return Joined(lines, tuple(notes))


def _by_keys(
    entries: Sequence[RosterEntry], participants: Sequence[Participant]
) -> Iterator[tuple[Participant, RosterEntry, str]]:
    for one in participants:
        for entry in entries:
            if same_email(entry.email, one.email):
                yield one, entry, say(BY_EMAIL)
            elif one.id and entry.id.casefold() == one.id.casefold():
                yield one, entry, say(BY_ID_NUMBER)
            elif same_id(entry.id, one.number):
                yield one, entry, say("by Moodle's number")


def _by_name(
    entries: Sequence[RosterEntry], participants: Sequence[Participant]
) -> Iterator[tuple[Participant, RosterEntry]]:
    """Names that one row alone has on each side."""
    ours: dict[tuple[str, ...], list[RosterEntry]] = {}
    theirs: dict[tuple[str, ...], list[Participant]] = {}
    for entry in entries:
        ours.setdefault(_words(entry.student), []).append(entry)
    for one in participants:
        theirs.setdefault(_words(one.name), []).append(one)
    for words, people in theirs.items():
        rows = ours.get(words, [])
        if words and len(people) == len(rows) == 1:
            yield people[0], rows[0]


def _words(name: str) -> tuple[str, ...]:
    """The words of a name in any order: some write the family name first."""
    text = unicodedata.normalize("NFC", name).casefold().replace("ё", "е")
    return tuple(sorted(re.findall(r"\w+", text)))
