"""Fills an instructor's exported gradebook in: Canvas's, Moodle's, or an assignment's worksheet.

A grade goes to a row if the submission's id is that row's, by any of its id columns, or the e-mail
is. What fits two rows, or two submissions in one row, is not filled in: a wrong match gives one
student another's grade. All other cells are left as they are, byte for byte of their text, and so
is the cell of a student without a submission or without a grade."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageProblem
from ..messages import say, say_count
from ..model.formats import EMAIL, FORMATS, FULL_NAME, ID_NUMBER, IDENTIFIER, Preset
from ..ordinary_files import TABLE, teachers_text
from .csv_report import CANVAS_INFO, CELL, each_student, feedback_of, line, score
from .document import Document, SubmissionEntry
from .text import cut, decimal, one_line

PRESETS = {name: format.fills for name, format in FORMATS.items() if format.fills}
"""The formats that fill a gradebook in, and whose."""

_IDS = {
    "canvas": ("id", "sis user id", "integration id", "sis login id"),
    "moodle": (*IDENTIFIER, *ID_NUMBER, "username", "логин", "id"),
}
_EMAILS = {"canvas": ("sis login id", "email"), "moodle": EMAIL}
_NAMES = {
    "canvas": ("student", "lastname", "firstname"),
    "moodle": (*FULL_NAME, "first name", "имя", "last name", "surname", "фамилия"),
}
_GRADE = ("grade", "оценка")
_MAXIMUM = ("maximum grade", "максимальная оценка")
_COMMENTS = ("feedback comments", "отзыв в виде комментария")
"""Columns of a worksheet."""
_ASSIGNMENT = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)
"""How Canvas calls the column of an assignment; those that it computes have no number."""
OURS = "<p>backprop: "
"""How the comments begin that we write into a worksheet: others are kept."""


class StudentRow(NamedTuple):
    """A row of a gradebook, as far as it says whose it is; texts are bare, e-mails in small
    letters."""

    name: str
    ids: set[str]
    emails: set[str]


class Gradebook(NamedTuple):
    """A gradebook as it was read. `column` is the place of the grades to fill in, `worth` the
    points that it says it is worth, `comments` the place of the feedback; `students` are by the
    place of their row."""

    source: Path
    kind: Preset
    rows: Sequence[Sequence[str]]
    students: Mapping[int, StudentRow]
    column: int
    comments: int | None
    worth: float | None
    delimiter: str
    line_end: str
    mark: str


# -- reading --------------------------------------------------------------------------------------


def read_gradebook(path: Path, column: str | None) -> Gradebook:
    """Read an exported gradebook and find the column `column` in it; None is the only one there is.

    Raises UsageProblem: not readable, not CSV, no header that Canvas or Moodle writes, no such
    column, more than one."""
    text = teachers_text(
        path, "gradebook", "give --backprop-gradebook the CSV file that the LMS exports", TABLE
    )
    with open(path, "rb") as file:
        marked = file.read(3).startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"))
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise UsageProblem(f"gradebook {path} is not CSV: {error}", "export it again") from None
    if not rows:
        raise UsageProblem(f"gradebook {path} is empty", "export it again")
    names = [name.strip().casefold() for name in rows[0]]
    kind = _kind(path, rows[0], names)
    place = _column(path, kind, rows[0], names, column)

    def cells(row: Sequence[str], wanted: Sequence[str]) -> list[str]:
        """What a row has in columns of these names."""
        pairs = zip(row, names, strict=False)
        return [cell.strip() for cell, name in pairs if name in wanted and cell.strip()]

    students, worth = {}, []
    for n, row in enumerate(rows[1:], 1):
        if kind == "canvas" and "Points Possible" in "".join(row[:1]):
            worth += row[place : place + 1]
        elif "".join(row).strip() and (kind == "moodle" or row[0].strip()):
            ids, emails = cells(row, _IDS[kind]), cells(row, _EMAILS[kind])
            name = " ".join(cells(row, _NAMES[kind])) or "".join([*ids, *emails, "?"][:1])
            bare = {_bare(id) for id in ids}
            students[n] = StudentRow(name, bare, {email.casefold() for email in emails})
            worth += cells(row, _MAXIMUM)
    return Gradebook(
        source=path,
        kind=kind,
        rows=rows,
        students=students,
        column=place,
        comments=next((n for n, name in enumerate(names) if name in _COMMENTS), None),
        worth=_amount(worth[0]) if worth else None,
        delimiter=delimiter,
        line_end="\r\n" if "\r\n" in text else "\n",
        mark="\ufeff" if marked else "",
    )


def _kind(path: Path, header: Sequence[str], names: Sequence[str]) -> Preset:
    first = names[:2] == ["student", "id"] or names[:3] == ["lastname", "firstname", "id"]
    if first and "section" in names:
        return "canvas"
    if any(name in names for name in (*_EMAILS["moodle"], *_IDS["moodle"][:-1])):
        return "moodle"
    raise UsageProblem(
        f"gradebook {path}: its header is neither Canvas's nor Moodle's: {list(header)[:6]}",
        f"export it from Canvas ({', '.join(CANVAS_INFO)}, …) or from Moodle, with the ID number "
        "or the e-mail address of each student",
    )


def _column(
    path: Path, kind: Preset, header: Sequence[str], names: Sequence[str], wanted: str | None
) -> int:
    """The place of the one column that is wanted; without a name, of the only one there is: a
    Canvas assignment, the grade of a worksheet, or what Moodle tells of students besides who they
    are."""
    if kind == "canvas":
        places = [n for n, name in enumerate(header) if _ASSIGNMENT.fullmatch(name.strip())]
    elif any(name in names for name in IDENTIFIER) and any(name in names for name in _GRADE):
        places = [n for n, name in enumerate(names) if name in _GRADE]
    else:
        about = {*_IDS[kind], *_EMAILS[kind], *_NAMES[kind]}
        places = [n for n, name in enumerate(names) if name not in about]
    what = f"{len(places)} columns for grades"
    shown = ", ".join(repr(header[n].strip()) for n in places) or "none"
    if wanted is not None:
        places = [n for n in places if wanted.strip() in _titles(header[n].strip())]
        what = f"more than one column {wanted!r}" if places else f"no column {wanted!r}"
    if len(places) == 1:
        return places[0]
    raise UsageProblem(
        f"gradebook {path} has {what}; there are: {shown}",
        "say which with --backprop-gradebook-column NAME",
    )


def _titles(name: str) -> set[str]:
    """What a column may be called by: `Homework 3 (1234)`, `Homework 3`, `1234`; of Moodle's
    `Assignment: Homework 3 (Real)` also without what it is, and without how it is shown."""
    titles = {name, re.sub(r" \((Real|Значение)\)$", "", name)}
    if numbered := _ASSIGNMENT.fullmatch(name):
        titles |= {numbered[1], numbered[2]}
    return titles | {title.partition(": ")[2] for title in titles if ": " in title}


def _bare(id: str) -> str:
    """An id as it is; of a worksheet's `Participant 123`, the number."""
    return re.sub(r"^(?:Participant|Участник)\s*(\d+)$", r"\1", id)


def _amount(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


# -- filling in -----------------------------------------------------------------------------------


def fill(gradebook: Gradebook, document: Document) -> tuple[str, list[str]]:
    """The gradebook with the grades of `document`, and what is told of it: how many went in, what
    of the class is in no row and why, and who in the gradebook has no grade from us."""
    matched, left = _matches(gradebook, document)
    rows = [list(row) for row in gradebook.rows]
    column, filled, empty = gradebook.column, 0, []
    for place, student in gradebook.students.items():
        entry, row = matched.get(place), rows[place]
        grade = score(entry) if entry is not None else ""
        if entry is None or not grade:
            empty.append(student.name)
        elif (
            gradebook.kind == "canvas" and "".join(row[column : column + 1]).strip().upper() == "EX"
        ):
            left[_whose(entry)] = say("the student is excused there (EX), and stays so")
        else:
            row += [""] * (column + 1 - len(row))
            # Moodle and Canvas write a decimal comma where semicolons part the cells
            row[column] = grade.replace(".", ",") if gradebook.delimiter == ";" else grade
            _comment(gradebook, row, document, entry)
            filled += 1
    text = "".join(line(row, gradebook.delimiter) + gradebook.line_end for row in rows)
    remarks = [
        say_count(
            "{count} grade is filled in in the gradebook {gradebook}",
            "{count} grades are filled in in the gradebook {gradebook}",
            filled,
            gradebook=gradebook.source.name,
        )
    ]
    for path, reason in left.items():
        remarks.append(
            say("not in the gradebook: {submission} ({reason})", submission=path, reason=reason)
        )
    for name in empty:
        remarks.append(say("no new grade in the gradebook: {student}", student=one_line(name)))
    most = max((entry.max_score for entry in document.submissions), default=None)
    if gradebook.worth is not None and most is not None and abs(most - gradebook.worth) > 1e-6:
        remarks.append(
            say(
                "the gradebook's column is worth {points} points, the rubric {total}",
                points=decimal(gradebook.worth),
                total=decimal(most),
            )
        )
    return gradebook.mark + text, remarks


def _comment(
    gradebook: Gradebook, row: list[str], document: Document, entry: SubmissionEntry
) -> None:
    """The feedback, where a worksheet has a column for it; it is HTML there, without quotes, as PHP
    takes no backslash before one (see `csv_report`). A comment of the instructor's own stays."""
    place = gradebook.comments
    if place is None or place >= len(row) or (row[place].strip() and OURS not in row[place]):
        return
    text = f"{score(entry)} / {decimal(entry.max_score)}\n{feedback_of(document, entry)}".strip()
    row[place] = OURS + html.escape(cut(text, CELL)).replace("\n", "<br>") + "</p>"


def _matches(
    gradebook: Gradebook, document: Document
) -> tuple[dict[int, SubmissionEntry], dict[str, str]]:
    """The submission of each row that has one, and why others are in none."""
    matched: dict[int, list[SubmissionEntry]] = {}
    left: dict[str, str] = {}
    for entry in each_student(document):
        id = _bare((entry.student_id or "").strip())
        email = (entry.email or "").strip().casefold()
        by_id = {n for n, student in gradebook.students.items() if id in student.ids}
        by_email = {n for n, student in gradebook.students.items() if email in student.emails}
        # where both are known they must be of one row
        places = by_id & by_email or by_id | by_email
        if len(places) == 1:
            matched.setdefault(places.pop(), []).append(entry)
        elif places:
            left[_whose(entry)] = say("two rows fit")
        elif id or email:
            left[_whose(entry)] = say("no row has that id or e-mail")
        else:
            left[_whose(entry)] = say("the roster tells no id and no e-mail")
    for several in matched.values():
        if len(several) > 1:
            left |= {_whose(e): say("another submission is that student's, too") for e in several}
    return {place: each[0] for place, each in matched.items() if len(each) == 1}, left


def _whose(entry: SubmissionEntry) -> str:
    """The submission; of a group, with the student of whom something is told."""
    return f"{entry.path}, {entry.student}" if entry.members else entry.path
