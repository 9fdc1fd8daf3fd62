"""How Canvas and Moodle read a file of grades, and what a spreadsheet does with a cell; ported from
Canvas's GradebookImporter and from Moodle's grade import and assignment worksheets."""

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
    if len(header) < 4 or "Student" not in header[0] or "ID" not in header[1]:
        raise Refused("header")
    columns, sis, login = 3, None, None
    if "SIS Login ID" in header[2]:
        login, columns = 2, 4
    elif "SIS User ID" in header[2] and "SIS Login ID" in header[3]:
        sis, login, columns = 2, 3, 5
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
        known = _by(students, "id", row[1]) or _by(students, "sis", row[sis] if sis else "")
        known = known or _by(students, "login", row[login] if login else "")
        known = known or _by(students, "name", row[0])
        if known is None:
            found["new students"].append(row[0])
        for place, title in titles.items():
            grade = row[place].strip().replace(",", ".") if place < len(row) else ""
            if grade not in ("", "-"):
                if not re.fullmatch(r"-?\d+(\.\d+)?|EX", grade):
                    raise Refused(f"grade {grade!r}")
                found["grades"].setdefault(title, {})[(known or {"name": row[0]})["name"]] = grade
    return found


def _by(students: Iterable[Mapping[str, str]], key: str, value: str) -> Mapping[str, str] | None:
    return next((s for s in students if value.strip() and s.get(key) == value.strip()), None)


def moodle(
    text: str, users: Iterable[Mapping[str, str]], column: str, key: str, field: str
) -> Grades:
    """Grades by user's name, where `column` of the file is the user's `field` `key`. An unknown user,
    and a grade that is no number, end the import."""
    header, *rows = rows_of(text)
    grades: Grades = {}
    for row in rows:
        if len(row) != len(header):
            raise Refused("columns")
        cells = dict(zip(header, row, strict=True))
        user = next((u for u in users if cells[key] and u.get(field) == cells[key]), None)
        if user is None:
            raise Refused(f"user {cells[key]!r}")
        grade = cells[column].strip()
        if grade in ("", "-"):
            continue
        if not re.fullmatch(r"-?\d+(\.\d+)?", grade):
            raise Refused(f"grade {grade!r}")
        grades[user["name"]] = float(grade)
    return grades


def worksheet(text: str, participants: Mapping[str, str]) -> Grades:
    """Grades by name out of an assignment's worksheet; `participants` go from number to name."""
    header, *rows = rows_of(text.removeprefix("\ufeff"))
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


def formula(cell: str) -> bool:
    """Whether a spreadsheet would compute a cell: what stands there is no number and no text."""
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell.strip()):
        return False
    return cell.strip()[:1] in ("=", "+", "-", "@") or cell[:1] in ("\t", "\r")
