"""CSV: a row a submission. `csv` for spreadsheets, `csv-canvas` and `csv-moodle` for an import.

A cell that a spreadsheet would take for a formula gets an apostrophe before it; a number stays one.
No grade is an empty cell: never 0 for what the grader could not judge. Scores are the rubric's
points, also above the maximum: what to do with extra credit is a gradebook's own affair."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import asdict, replace

from .document import Document, SubmissionEntry
from .feedback import explained_checks, feedback, is_judged, remarks, shown_checks
from .text import cut, decimal

CELL = 2_000
"""Characters of a cell; spreadsheets take 32,767."""
CANVAS_INFO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MARK = "\ufeff"
"""A spreadsheet takes a file for UTF-8 if this is its first character."""
TITLE = "backprop"
"""The column of a gradebook that nobody named."""
ABSENT = "-"
"""In a file for Moodle: no grade, or a key that a student has not. Moodle gives a row with an empty
key to the student of the row before it (`map_user_data_with_value` in
`grade/import/csv/classes/load_data.php` of moodle/moodle), and older releases take an empty grade
for 0 (`import_new_grade_item` there)."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
COLUMNS = "submission student id email variant variant_source status score max_score".split()
LATE_COLUMNS = ("submitted", "late_days", "late_deduction")
"""Where the rubric has lateness cost anything."""


def render(document: Document) -> str:
    """Every submission, with a column for each check that students may see, and the remarks."""
    ids = list(
        dict.fromkeys(check.id for entry in document.submissions for check in shown_checks(entry))
    )
    timed = any(entry.late is not None for entry in document.submissions)
    rows = [[*COLUMNS, *ids, *(LATE_COLUMNS if timed else ()), "remarks"]]
    for entry in each_student(document):
        earned = {c.id: decimal(c.score) for c in shown_checks(entry) if c.outcome != "not_judged"}
        whose = (entry.path, entry.student, entry.student_id, entry.email)
        about = (*whose, entry.variant, entry.variant_source, entry.status)
        cells = [*(text or "" for text in about), score(entry), decimal(entry.max_score)]
        cells += [earned.get(id, "") for id in ids]
        if (late := entry.late) is not None:
            cells += [late.submitted or "", str(late.days), decimal(late.deduction)]
        elif timed:
            cells += [""] * len(LATE_COLUMNS)
        rows.append([*cells, remarks(entry)])
    return MARK + table(rows)


def render_canvas(document: Document) -> str:
    """A gradebook to import into Canvas. `id` of the roster goes into the SIS ID, `email` into the
    login; what Canvas itself calls the student in the name of an exported file, into the ID."""
    most = max((entry.max_score for entry in document.submissions), default=0.0)
    rows = [[*CANVAS_INFO, TITLE], ["    Points Possible", "", "", "", "", decimal(most)]]
    for entry in with_key(document):
        id = entry.student_id or ""
        # Canvas's own is in the file's name: `name_12345_67890_file`
        is_canvas = id.isdecimal() and re.search(rf"_{id}_[0-9]+_[^/]*$", entry.path)
        ids = (id, "") if is_canvas else ("", id)
        rows.append([entry.student or entry.path, *ids, entry.email or "", "", score(entry)])
    return table(rows)


def render_moodle(document: Document) -> str:
    """A file for Moodle's grade import: map `ID number` or `Email address` to the user, one that
    every row has; a row without it ends the import."""
    rows = [["ID number", "Email address", "Full name", "Grade", "Feedback"]]
    for entry in with_key(document):
        whose = [entry.student_id or ABSENT, entry.email or ABSENT, entry.student or ""]
        rows.append([*whose, score(entry) or ABSENT, feedback_of(document, entry)])
    return table([[_for_php(cell) for cell in row] for row in rows])


def _for_php(cell: str) -> str:
    r"""`cell` as PHP's `fgetcsv` reads it back: there `\"` does not end a quoted cell, and Moodle
    refuses a file whose rows differ in length."""
    return re.sub(r'\\(?="|\Z)', r"\\ ", cell)


def with_key(document: Document, keyed: bool = True) -> list[SubmissionEntry]:
    """The submissions of which an LMS can tell whose they are, or the others, which are told. A row
    of nobody ends an import."""
    return [e for e in each_student(document) if bool(e.student_id or e.email) == keyed]


def each_student(document: Document) -> Iterator[SubmissionEntry]:
    """The submissions, those of a group once for each of its students."""
    return (
        entry if member is None else replace(entry, **asdict(member))
        for entry in document.submissions
        for member in entry.members or (None,)
    )


def score(entry: SubmissionEntry) -> str:
    """The grade; empty if the grader could not judge it."""
    return decimal(entry.score) if is_judged(entry) else ""


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as CSV, quoted and guarded, lines ending in a line feed."""
    return "".join(line([guarded(cut(cell, CELL)) for cell in row], ",") + "\n" for row in rows)


def line(cells: Sequence[str], delimiter: str) -> str:
    """A row of CSV, without its end."""
    out = io.StringIO(newline="")
    # which characters are quoted depends on the end of a line: of this one, both
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n")


def guarded(cell: str) -> str:
    """`cell` as no spreadsheet takes it for a formula."""
    acts = re.match(r"\s*[-=+@]|[\t\r\n]", cell) and not NUMBER.fullmatch(cell) and cell != ABSENT
    return f"'{cell}" if acts else cell


def feedback_of(document: Document, entry: SubmissionEntry) -> str:
    """All that a student may be told of a submission."""
    lost = (f"{check.id}: {feedback(check, document)}" for check in explained_checks(entry))
    parts = [remarks(entry), *lost]
    return "\n".join(part for part in parts if part)
