"""Moodle's grading worksheet, held against the roster.

Moodle's export names students by numbers of its own, which no university knows. The worksheet of
the same assignment says whose they are, by e-mail and by id number. Its full names are not gone by:
they are what a profile says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import say
from ..model.formats import EMAIL, ID_NUMBER, IDENTIFIER
from .roster import RosterEntry, same_email, same_id
from .roster_file import read_rows


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


def join(
    entries: Sequence[RosterEntry], paths: Iterable[str], numbers: Collection[str]
) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...]]:
    """The lines of a roster by Moodle's numbers, none for a number that is nobody's there, or not
    for certain; and notes on how many were joined by what. Of some CSV files it takes the
    worksheets of the class in which `numbers`, Moodle's, are of those who handed in: each
    assignment has numbers of its own, and a worksheet of its own.

    A row and a number belong together if one of the number, the e-mail and the id number is the
    same, and none of them is another's.
    """
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
