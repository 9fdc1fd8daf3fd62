"""How Canvas and Moodle read a file of grades, and what a spreadsheet does with a cell; ported from
`lib/gradebook_importer.rb` of instructure/canvas-lms (at 00b222d) and, of moodle/moodle, from
`lib/csvlib.class.php`, `grade/import/csv/classes/load_data.php` (at 0289d8c, and of 3.9) and
`mod/assign/feedback/offline/importgradeslib.php` (at 452e36f). docs/lms.md says what was run itself."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

Grades = dict[str, float]


class Refused(Exception):
    """The import ends, and nothing of it is recorded."""


def rows_of(text: str, delimiter: str = ",") -> list[list[str]]:
    text = text.removeprefix("\ufeff")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def canvas(
    text: str, students: Iterable[Mapping[str, str]], assignments: Mapping[str, str]
) -> dict[str, Any]:
    """Grades by assignment title and student's name; `new` students and assignments that Canvas would
    ask about. `students` have id, sis, login and name; `assignments` go from id to title."""
    text = text.removeprefix("\ufeff")
    first = text.split("\n")[0]
    rows = rows_of(text, ";" if first.count(";") > first.count(",") else ",")
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    header = rows[0]
    in_two = header[:2] == ["LastName", "FirstName"]
    at = 2 if in_two else 1
    if len(header) < at + 3 or not (in_two or "Student" in header[0]) or "ID" not in header[at]:
        raise Refused("header")
    columns, sis, login = at + 2, None, None
    if "SIS Login ID" in header[at + 1]:
        login, columns = at + 1, at + 3
    elif "SIS User ID" in header[at + 1] and "SIS Login ID" in header[at + 2]:
        sis, login, columns = at + 1, at + 2, at + 4
        for other in ("Integration ID", "Root Account"):
            columns += other in header[columns - 1]
    if "Section" not in header[columns - 1]:
        raise Refused("no section")
    found: dict[str, Any] = {
        "grades": {},
        "new students": [],
        "new assignments": [],
        "possible": {},
    }
    titles = {}
    for place, name in enumerate(header[columns:], columns):
        if re.search("Current Score|Current Points|Current Grade|Final|Override", name):
            continue
        match = re.fullmatch(r"(.*)\s\((\d+)\)", name)
        title = assignments.get(match[2]) if match else None
        title = title or next((known for known in assignments.values() if known == name), None)
        if title is None:
            found["new assignments"].append(name)
            title = match[1] if match else name
        titles[place] = title
    for row in rows[1:]:
        if "Points Possible" in row[0]:
            found["possible"] = {t: row[place] for place, t in titles.items() if place < len(row)}
            continue
        if all(re.fullmatch(r"(?i)\s*(Muted|Manual Posting.*)?\s*", cell) for cell in row):
            continue
        name = f"{row[1]} {row[0]}" if in_two else row[0]
        known = _by(students, "id", row[at]) or _by(students, "sis", row[sis] if sis else "")
        known = known or _by(students, "login", row[login] if login else "")
        known = known or _by(students, "name", name)
        if known is None:
            found["new students"].append(name)
        for place, title in titles.items():
            grade = row[place].strip().replace(",", ".") if place < len(row) else ""
            if grade not in ("", "-"):
                if not re.fullmatch(r"-?\d+(\.\d+)?|EX", grade):
                    raise Refused(f"grade {grade!r}")
                found["grades"].setdefault(title, {})[(known or {"name": name})["name"]] = grade
    return found


def _by(students: Iterable[Mapping[str, str]], key: str, value: str) -> Mapping[str, str] | None:
    return next((s for s in students if value.strip() and s.get(key) == value.strip()), None)


def moodle(
    text: str, users: Iterable[Mapping[str, str]], column: str, key: str, field: str
) -> Grades:
    """Grades by user's name, as new grades of `column`; the user is whose `field` is `key`. An unknown
    user, a grade that is no number, and one above 100 end the import. A row with an empty key is that of
    the user of the row before; an empty grade is 0, as older releases have it."""
    header, *rows = rows_of(_read_by_php(text))
    grades: Grades = {}
    user: Mapping[str, str] | None = None
    for row in rows:
        if len(row) != len(header):
            raise Refused("columns")
        cells = dict(zip(header, row, strict=True))
        if cells[key]:
            user = next((u for u in users if u.get(field) == cells[key]), None)
        if user is None:
            raise Refused(f"user {cells[key]!r}")
        grade = cells[column].strip() or "0"
        if grade == "-":
            continue
        if not re.fullmatch(r"-?\d+(\.\d+)?", grade) or float(grade) > 100:
            raise Refused(f"grade {grade!r}")
        grades[user["name"]] = float(grade)
    return grades


def worksheet(text: str, participants: Mapping[str, str]) -> Grades:
    """Grades by name out of an assignment's worksheet; `participants` go from number to name."""
    header, *rows = rows_of(_read_by_php(text))
    if "Identifier" not in header or "Grade" not in header or "Last modified (grade)" not in header:
        raise Refused("header")
    grades: Grades = {}
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        found = re.fullmatch(r"Participant (\d+)", cells["Identifier"])
        if found is None or found[1] not in participants:
            raise Refused(f"participant {cells['Identifier']!r}")
        if cells["Grade"] in ("", "-"):
            continue
        grade = float(cells["Grade"])
        if not 0 <= grade <= float(cells["Maximum Grade"]):
            raise Refused("out of range")
        grades[participants[found[1]]] = grade
    return grades


def _read_by_php(text: str) -> str:
    """`text`, if `fgetcsv` reads it as others do: to it a quote after a backslash ends no cell."""
    if '\\"' in text:
        raise Refused("rows of different lengths")
    return text


def formula(cell: str) -> bool:
    """Whether a spreadsheet would compute a cell: what stands there is no number and no text."""
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|-", cell.strip()):
        return False
    return cell.strip()[:1] in ("=", "+", "-", "@") or cell[:1] in ("\t", "\r")
