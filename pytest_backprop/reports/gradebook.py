"""Fills an instructor's exported gradebook in: Canvas's, Moodle's, or an assignment's worksheet.

A grade goes to a row if the submission's id is that row's, by any of its id columns, or the e-mail is.
What fits two rows, or two submissions in one row, is not filled in: a wrong match gives one student
another's grade. All other cells are left as they are, byte for byte of their text, and
so is the cell of a student without a submission or without a grade.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import phrase
from ..model.formats import EMAIL, FORMATS, FULL_NAME, ID_NUMBER, IDENTIFIER, Preset
from ..ordinary_files import TABLE, teachers_bytes, unicode_text
from .csv_report import CANVAS_INFO, CELL, each_student, feedback_of, line, score
from .document import Document, SubmissionEntry
from .feedback import cut, decimal

PRESETS = {name: format.fills for name, format in FORMATS.items() if format.fills}
"""The formats that fill a gradebook in, and whose."""

_IDS = {
    "canvas": ("id", "sis user id", "integration id", "sis login id"),
    "moodle": (*IDENTIFIER, *ID_NUMBER, "username", "логин", "id"),
}
_EMAILS = {
    "canvas": ("sis login id", "email"),
    "moodle": EMAIL,
}
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
    "institution", "department", "phone", "mobile phone", "last downloaded from this course",
    "учреждение (организация)", "учреждение", "отдел", "телефон", "мобильный телефон",
)  # fmt: skip
"""What Moodle's exports tell of a student besides, and when they were made."""
_COMMENTS = ("feedback comments", "отзыв в виде комментария")
OURS = "<p>backprop: "
"""How the comments begin that we write into a worksheet: others are kept."""
_EXCUSED = "EX"
_CANVAS_COLUMN = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)


class Gradebook(Struct, frozen=True):
    """A gradebook as it was read. `column` is the place of the grades to fill in; `rows` are those
    below the header, `most` the points that the column says there are, if it does."""

    source: str
    kind: Preset
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    column: int
    delimiter: str
    line_end: str
    mark: str
    most: float | None


class Filling(Struct, frozen=True):
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
    text, mark = _text(path)
    delimiter = _delimiter(text)
    try:
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise UsageProblem(f"gradebook {path} is not CSV: {error}", "export it again") from None
    if not found:
        raise UsageProblem(f"gradebook {path} is empty", "export it again")
    header = tuple(found[0])
    kind = _kind(path, header)
    rows = tuple(tuple(row) for row in found[1:])
    place = _column(path, header, rows, kind, column)
    return Gradebook(
        source=str(path),
        kind=kind,
        header=header,
        rows=rows,
        column=place,
        delimiter=delimiter,
        line_end="\r\n" if "\r\n" in text else "\n",
        mark=mark,
        most=_most(kind, header, rows, place),
    )


def _text(path: Path) -> tuple[str, str]:
    raw = teachers_bytes(
        path, "gradebook", "give --backprop-gradebook the CSV file that the LMS exports", TABLE
    )
    try:
        marked = raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"))
        return unicode_text(raw), "\ufeff" if marked else ""
    except UnicodeDecodeError as error:
        raise UsageProblem(
            f"gradebook {path} is not UTF-8 text (byte {error.start})",
            "export it as CSV UTF-8; a spreadsheet program may have saved it otherwise",
        ) from None


def _delimiter(text: str) -> str:
    return max(",;\t", key=text.partition("\n")[0].count)


def _kind(path: Path, header: Sequence[str]) -> Preset:
    names = [name.strip().casefold() for name in header]
    first = names[:2] == ["student", "id"] or names[:3] == ["lastname", "firstname", "id"]
    if first and "section" in names:
        return "canvas"
    if any(name in names for name in (*_EMAILS["moodle"], *_IDS["moodle"][:-1])):
        return "moodle"
    raise UsageProblem(
        f"gradebook {path}: its header is neither Canvas's nor Moodle's: {list(header)[:6]}",
        f"export it from Canvas ({', '.join(CANVAS_INFO)}, …) or from Moodle, with the ID number or "
        "the e-mail address of each student",
    )


def _column(
    path: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    kind: Preset,
    wanted: str | None,
) -> int:
    names = [name.strip() for name in header]
    lowered = [name.casefold() for name in names]
    if kind == "canvas":
        start = lowered.index("section") + 1
        fixed = {n for row in rows if _is_possible(row)
                 for n, cell in enumerate(row) if _READ_ONLY.search(cell)}  # fmt: skip
        places = [
            n for n in range(start, len(names))
            if names[n] and n not in fixed and not _CANVAS_COMPUTED.fullmatch(names[n])
        ]  # fmt: skip
    elif any(name in lowered for name in IDENTIFIER) and any(name in lowered for name in _GRADE):
        places = [n for n, name in enumerate(lowered) if name in _GRADE]
    else:
        known = {*_IDS["moodle"], *_EMAILS["moodle"], *_NAMES["moodle"], *_ABOUT_STUDENTS}
        places = [n for n, name in enumerate(lowered) if name not in known]
    if wanted is not None:
        everywhere = [n for n in places if wanted.strip() in _titles(names[n])]
    else:
        places = [n for n in places if not _MOODLE_COMPUTED.fullmatch(lowered[n])] or places
        everywhere = places
    if len(everywhere) == 1:
        return everywhere[0]
    shown = ", ".join(repr(names[n]) for n in places) or "none"
    what = f"no column {wanted!r}" if wanted is not None else f"{len(places)} columns for grades"
    if wanted is not None and everywhere:
        what = f"more than one column {wanted!r}"
    raise UsageProblem(
        f"gradebook {path} has {what}; there are: {shown}",
        "say which with --backprop-gradebook-column NAME",
    )


def _titles(name: str) -> set[str]:
    """What a column may be called by: `Homework 3 (1234)`, `Homework 3`, `1234`; of Moodle's
    `Assignment: Homework 3 (Real)` also without what it is, and without how it is shown."""
    found = {name}
    if numbered := _CANVAS_COLUMN.fullmatch(name):
        found |= {numbered[1], numbered[2]}
    found |= {_MOODLE_SHOWN.sub("", title) for title in found}
    return found | {title.partition(": ")[2] for title in found if ": " in title}


def _most(
    kind: Preset, header: Sequence[str], rows: Sequence[Sequence[str]], column: int
) -> float | None:
    if kind == "canvas":
        cells = [row[column] for row in rows if _is_possible(row) and column < len(row)]
    else:
        places = [n for n, name in enumerate(header) if name.strip().casefold() in _MAXIMUM]
        cells = [row[n] for row in rows for n in places[:1] if n < len(row)]
    try:
        return float(cells[0].replace(",", ".")) if cells else None
    except ValueError:
        return None


def _is_possible(row: Sequence[str]) -> bool:
    return bool(row) and "Points Possible" in row[0]


# -- filling in -----------------------------------------------------------------------------------


def fill(gradebook: Gradebook, document: Document) -> Filling:
    """The gradebook with the grades of `document`, and what fits on neither side."""
    matched, left = _matches(gradebook, each_student(document))
    rows = [list(row) for row in gradebook.rows]
    empty, filled = [], 0
    for place, row in enumerate(rows):
        entry = matched.get(place)
        grade = score(entry) if entry is not None else ""
        if entry is not None and _is_excused(gradebook, row):
            left.append((_whose(entry), EXCUSED))
        elif entry is not None and grade:
            row += [""] * (gradebook.column + 1 - len(row))
            row[gradebook.column] = _local(grade, gradebook)
            _comment(gradebook, row, document, entry)
            filled += 1
        elif _is_student(gradebook, row):
            empty.append(_name(gradebook, row))
    lines = [line(row, gradebook.delimiter) for row in (gradebook.header, *rows)]
    text = gradebook.mark + "".join(text + gradebook.line_end for text in lines)
    return Filling(text, filled, tuple(empty), tuple(left))


def _is_excused(gradebook: Gradebook, row: Sequence[str]) -> bool:
    cell = row[gradebook.column] if gradebook.column < len(row) else ""
    return gradebook.kind == "canvas" and cell.strip().upper() == _EXCUSED


def _comment(
    gradebook: Gradebook, row: list[str], document: Document, entry: SubmissionEntry
) -> None:
    """The feedback, where a worksheet has a column for it; it is HTML there, without quotes, as PHP takes
    no backslash before one (see `csv_report`). A comment of the instructor's own stays."""
    names = [name.strip().casefold() for name in gradebook.header]
    place = next((n for n, name in enumerate(names) if name in _COMMENTS), None)
    if place is None or place >= len(row) or (row[place].strip() and OURS not in row[place]):
        return
    told = f"{score(entry)} / {decimal(entry.max_score)}\n{feedback_of(document, entry)}".strip()
    row[place] = OURS + html.escape(cut(told, CELL)).replace("\n", "<br>") + "</p>"


def other_total(gradebook: Gradebook, document: Document) -> tuple[str, str] | None:
    """The points that the gradebook's column is worth and those of the rubric, if they differ."""
    most = max((entry.max_score for entry in document.submissions), default=gradebook.most)
    if gradebook.most is None or most is None or abs(most - gradebook.most) < 1e-6:
        return None
    return decimal(gradebook.most), decimal(most)


def _matches(
    gradebook: Gradebook, entries: Iterable[SubmissionEntry]
) -> tuple[dict[int, SubmissionEntry], list[tuple[str, str]]]:
    ids = _index(gradebook, _IDS[gradebook.kind], _bare)
    emails = _index(gradebook, _EMAILS[gradebook.kind], str.casefold)
    matched: dict[int, SubmissionEntry] = {}
    twice: set[int] = set()
    left: list[tuple[str, str]] = []
    for entry in entries:
        if not (entry.student_id or entry.email):
            left.append((_whose(entry), NO_KEY))
            continue
        by_id = ids.get(_bare((entry.student_id or "").strip()), set())
        by_email = emails.get((entry.email or "").strip().casefold(), set())
        # where both are known they must be of one row
        places = by_id | by_email if not by_id & by_email else by_id & by_email
        if len(places) != 1:
            left.append((_whose(entry), TWO_ROWS if places else NO_ROW))
            continue
        (place,) = places
        if place in matched:
            twice.add(place)
            left.append((_whose(entry), TWO_SUBMISSIONS))
        matched.setdefault(place, entry)
    for place in twice:
        left.append((_whose(matched.pop(place)), TWO_SUBMISSIONS))
    return matched, left


def _whose(entry: SubmissionEntry) -> str:
    """The submission; of a group, with the student of whom something is told."""
    return f"{entry.path}, {entry.student}" if entry.members else entry.path


def _index(
    gradebook: Gradebook, names: Sequence[str], key: Callable[[str], str]
) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for place, row in enumerate(gradebook.rows):
        if not _is_student(gradebook, row):
            continue
        for cell in _cells(gradebook, row, names):
            found.setdefault(key(cell), set()).add(place)
    found.pop("", None)
    return found


def _bare(cell: str) -> str:
    """An id as it is; of a worksheet's `Participant 123`, the number."""
    found = re.fullmatch(r"(?:Participant|Участник)\s*(\d+)", cell)
    return found[1] if found else cell


def _cells(gradebook: Gradebook, row: Sequence[str], names: Sequence[str]) -> list[str]:
    places = [n for n, name in enumerate(gradebook.header) if name.strip().casefold() in names]
    return [row[n].strip() for n in places if n < len(row)]


def _is_student(gradebook: Gradebook, row: Sequence[str]) -> bool:
    return any(cell.strip() for cell in row) and not (
        gradebook.kind == "canvas" and (_is_possible(row) or not row[0].strip())
    )


def _name(gradebook: Gradebook, row: Sequence[str]) -> str:
    kind = gradebook.kind
    names = [cell for cell in _cells(gradebook, row, _NAMES[kind]) if cell]
    return " ".join(names) or next(
        (cell for cell in _cells(gradebook, row, (*_IDS[kind], *_EMAILS[kind])) if cell), "?"
    )


def _local(grade: str, gradebook: Gradebook) -> str:
    """With a decimal comma where semicolons part the cells, as Moodle and Canvas write it there."""
    return grade.replace(".", ",") if gradebook.delimiter == ";" else grade
