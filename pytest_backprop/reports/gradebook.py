"""Fills an instructor's exported gradebook in: Canvas's, Moodle's, or an assignment's worksheet.

A grade goes to a row if the submission's id is that row's, by any of its id columns, or the e-mail
is. What fits two rows, or two submissions in one row, is not filled in: a wrong match gives one
student another's grade. All other cells are left as they are, byte for byte of their text, and so
is the cell of a student without a submission or without a grade.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageProblem
from ..messages import phrase
from ..model.formats import EMAIL, FORMATS, FULL_NAME, ID_NUMBER, IDENTIFIER, Preset
from ..ordinary_files import TABLE, teachers_text
from .csv_report import CANVAS_INFO, CELL, each_student, feedback_of, line, score
from .document import Document, SubmissionEntry
from .feedback import cut
from .text import decimal

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
NO_KEY = phrase("the roster tells no id and no e-mail")
NO_ROW = phrase("no row has that id or e-mail")
TWO_ROWS = phrase("two rows fit")
TWO_SUBMISSIONS = phrase("another submission is that student's, too")
EXCUSED = phrase("the student is excused there (EX), and stays so")

_CANVAS_COMPUTED = re.compile("(Current|Final|Unposted|Override) .*(Score|Points|Grade|Status)")
_READ_ONLY = re.compile(r"read\s+only")
_MOODLE_COMPUTED = re.compile(
    r"(course|category) total.*|.* total( \(.*\))?|итоговая оценка.*"
    r"|feedback: .*|.* \((percentage|letter|feedback|проценты|буква|отзыв)\)"
)
_MOODLE_SHOWN = re.compile(r" \((Real|Percentage|Letter|Feedback|Значение|Проценты|Буква|Отзыв)\)$")
_ABOUT_STUDENTS = (
    *("institution", "department", "phone", "mobile phone", "last downloaded from this course"),
    *("учреждение (организация)", "учреждение", "отдел", "телефон", "мобильный телефон"),
)
"""What Moodle's exports tell of a student besides, and when they were made."""
_COMMENTS = ("feedback comments", "отзыв в виде комментария")
OURS = "<p>backprop: "
"""How the comments begin that we write into a worksheet: others are kept."""
_CANVAS_COLUMN = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)


class StudentRow(NamedTuple):
    """A row of a gradebook, as far as it says whose it is; texts are bare, e-mails in small
    letters. `is_excused` where the student has no grade because the instructor said so."""

    name: str
    ids: set[str]
    emails: set[str]
    is_excused: bool


class Gradebook(NamedTuple):
    """A gradebook as it was read. `column` is the place of the grades to fill in, `most` the points
    that it says it is worth, `comments` the place of the feedback; `students` are by the place of
    their row below the header."""

    source: Path
    kind: Preset
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    students: Mapping[int, StudentRow]
    column: int
    comments: int | None
    most: float | None
    delimiter: str
    line_end: str
    mark: str


class Filling(NamedTuple):
    """A gradebook filled in. `empty`: names of students in it without a grade from us; `left`:
    submissions that are in no row, with the reason; `filled`: how many grades went in."""

    text: str
    filled: int
    empty: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


# -- reading --------------------------------------------------------------------------------------


def read_gradebook(path: Path, column: str | None) -> Gradebook:
    """Read an exported gradebook and find the column `column` in it; None is the only one there is.

    Raises UsageProblem: not readable, not CSV, no header that Canvas or Moodle writes, no such
    column, more than one.
    """
    text = teachers_text(
        path, "gradebook", "give --backprop-gradebook the CSV file that the LMS exports", TABLE
    )
    with open(path, "rb") as file:
        marked = file.read(3).startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"))
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise UsageProblem(f"gradebook {path} is not CSV: {error}", "export it again") from None
    if not lines:
        raise UsageProblem(f"gradebook {path} is empty", "export it again")
    header, *rows = lines
    names = [name.strip().casefold() for name in header]
    kind = _kind(path, header, names)
    # of Canvas's export some rows are about the columns
    possible = [row for row in rows if kind == "canvas" and row and "Points Possible" in row[0]]
    columns = {n: header[n].strip() for n in _grade_columns(kind, names, header, possible)}
    place = _column(path, names, columns, column)

    def cells(row: Sequence[str], wanted: Sequence[str]) -> list[str]:
        return [cell.strip() for cell, name in zip(row, names, strict=False) if name in wanted]

    students = {}
    for n, row in enumerate(rows):
        if not any(map(str.strip, row)) or (
            kind == "canvas" and (row in possible or not row[0].strip())
        ):
            continue
        ids, emails = cells(row, _IDS[kind]), cells(row, _EMAILS[kind])
        grade = row[place].strip() if place < len(row) else ""
        students[n] = StudentRow(
            " ".join(filter(None, cells(row, _NAMES[kind])))
            or next(filter(None, (*ids, *emails)), "?"),
            {_bare(id) for id in ids if id},
            {email.casefold() for email in emails if email},
            kind == "canvas" and grade.upper() == "EX",
        )
    worth = [row[place] for row in possible if place < len(row)]
    if kind == "moodle":
        worth = [cell for row in rows for cell in cells(row, _MAXIMUM)]
    return Gradebook(
        source=path,
        kind=kind,
        header=header,
        rows=rows,
        students=students,
        column=place,
        comments=next((n for n, name in enumerate(names) if name in _COMMENTS), None),
        most=_amount(worth[0]) if worth else None,
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


def _grade_columns(
    kind: Preset, names: Sequence[str], header: Sequence[str], possible: Sequence[Sequence[str]]
) -> list[int]:
    """The places of the columns that may be grades: not what is told of students, nor
    read-only."""
    if kind == "canvas":
        fixed = {n for row in possible for n, cell in enumerate(row) if _READ_ONLY.search(cell)}
        return [
            n
            for n in range(names.index("section") + 1, len(names))
            if names[n] and n not in fixed and not _CANVAS_COMPUTED.fullmatch(header[n].strip())
        ]
    if any(name in names for name in IDENTIFIER) and any(name in names for name in _GRADE):
        return [n for n, name in enumerate(names) if name in _GRADE]
    about = {*_IDS["moodle"], *_EMAILS["moodle"], *_NAMES["moodle"], *_ABOUT_STUDENTS}
    return [n for n, name in enumerate(names) if name not in about]


def _column(
    path: Path, names: Sequence[str], columns: Mapping[int, str], wanted: str | None
) -> int:
    """The place of the one column that is wanted; without a name, of the only one that is not
    computed."""
    if wanted is not None:
        places = [n for n, name in columns.items() if wanted.strip() in _titles(name)]
        what = f"more than one column {wanted!r}" if places else f"no column {wanted!r}"
    else:
        entered = {n: c for n, c in columns.items() if not _MOODLE_COMPUTED.fullmatch(names[n])}
        columns = entered or columns
        places = list(columns)
        what = f"{len(places)} columns for grades"
    if len(places) == 1:
        return places[0]
    shown = ", ".join(map(repr, columns.values())) or "none"
    raise UsageProblem(
        f"gradebook {path} has {what}; there are: {shown}",
        "say which with --backprop-gradebook-column NAME",
    )


def _titles(name: str) -> set[str]:
    """What a column may be called by: `Homework 3 (1234)`, `Homework 3`, `1234`; of Moodle's
    `Assignment: Homework 3 (Real)` also without what it is, and without how it is shown."""
    titles = {name}
    if numbered := _CANVAS_COLUMN.fullmatch(name):
        titles |= {numbered[1], numbered[2]}
    titles |= {_MOODLE_SHOWN.sub("", title) for title in titles}
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


def fill(gradebook: Gradebook, document: Document) -> Filling:
    """The gradebook with the grades of `document`, and what fits on neither side."""
    matched, left = _matches(gradebook, each_student(document))
    rows = [list(row) for row in gradebook.rows]
    empty, filled = [], 0
    for place, student in gradebook.students.items():
        entry, row = matched.get(place), rows[place]
        grade = score(entry) if entry is not None else ""
        if entry is not None and student.is_excused:
            left.append((_whose(entry), EXCUSED))
        elif entry is not None and grade:
            row += [""] * (gradebook.column + 1 - len(row))
            # Moodle and Canvas write a decimal comma where semicolons part the cells
            local = grade.replace(".", ",") if gradebook.delimiter == ";" else grade
            row[gradebook.column] = local
            _comment(gradebook, row, document, entry)
            filled += 1
        else:
            empty.append(student.name)
    lines = [line(row, gradebook.delimiter) for row in (gradebook.header, *rows)]
    text = gradebook.mark + "".join(text + gradebook.line_end for text in lines)
    return Filling(text, filled, tuple(empty), tuple(left))


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


def other_total(gradebook: Gradebook, document: Document) -> tuple[str, str] | None:
    """The points that the gradebook's column is worth and those of the rubric, if they differ."""
    worth = gradebook.most
    most = max((entry.max_score for entry in document.submissions), default=worth)
    if worth is None or most is None or abs(most - worth) < 1e-6:
        return None
    return decimal(worth), decimal(most)


def _matches(
    gradebook: Gradebook, entries: Iterable[SubmissionEntry]
) -> tuple[dict[int, SubmissionEntry], list[tuple[str, str]]]:
    """The submission of each row that has one, and those that are in none, with the reason."""
    matched: dict[int, list[SubmissionEntry]] = {}
    left: list[tuple[str, str]] = []
    for entry in entries:
        if not (entry.student_id or entry.email):
            left.append((_whose(entry), NO_KEY))
            continue
        id = _bare((entry.student_id or "").strip())
        email = (entry.email or "").strip().casefold()
        by_id = {n for n, student in gradebook.students.items() if id in student.ids}
        by_email = {n for n, student in gradebook.students.items() if email in student.emails}
        # where both are known they must be of one row
        places = by_id & by_email or by_id | by_email
        if len(places) != 1:
            left.append((_whose(entry), TWO_ROWS if places else NO_ROW))
            continue
        matched.setdefault(places.pop(), []).append(entry)
    for several in matched.values():
        if len(several) > 1:
            left += [(_whose(entry), TWO_SUBMISSIONS) for entry in several]
    return {place: each[0] for place, each in matched.items() if len(each) == 1}, left


def _whose(entry: SubmissionEntry) -> str:
    """The submission; of a group, with the student of whom something is told."""
    return f"{entry.path}, {entry.student}" if entry.members else entry.path
