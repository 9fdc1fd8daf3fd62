"""One table of report formats: who writes, reads or offers one goes by it."""

from __future__ import annotations

from typing import Literal, NamedTuple

Preset = Literal["canvas", "moodle"]


class ReportFormat(NamedTuple):
    """What writes a report: the function of `reports` that makes the text of a file from the
    document, or, of a `folder`, its files from the document and the drawings.

    `single`: it is on one submission, and written also if none was found, as who reads it waits for
    a file. `fills`: whose gradebook it fills in."""

    renderer: str
    folder: bool = False
    single: bool = False
    fills: Preset | None = None


FORMATS: dict[str, ReportFormat] = {
    # the document itself, of which all others are made
    "json": ReportFormat("document.render"),
    # pages to look at, one a submission
    "html": ReportFormat("html_report.files", folder=True),
    # what each student is told, in a file of its own
    "feedback": ReportFormat("markdown.files", folder=True),
    # a table, a line a submission; and as two gradebooks take it in
    "csv": ReportFormat("csv_report.render"),
    "csv-canvas": ReportFormat("csv_report.render_canvas", fills="canvas"),
    "csv-moodle": ReportFormat("csv_report.render_moodle", fills="moodle"),
    # the results of one student, for the graders of courses
    "gradescope": ReportFormat("graders.gradescope", single=True),
    "github-classroom": ReportFormat("graders.github_classroom", single=True),
    # remarks beside the lines of a pull request
    "github-annotations": ReportFormat("editors.github_annotations"),
    "prairielearn": ReportFormat("graders.prairielearn", single=True),
    "moodle-vpl": ReportFormat("graders.moodle_vpl", single=True),
    "coderunner": ReportFormat("graders.coderunner", single=True),
    # a line a finding, and what code scanning reads
    "lines": ReportFormat("editors.lines"),
    "sarif": ReportFormat("editors.sarif"),
    # a summary for a page of a forge
    "markdown": ReportFormat("markdown.render"),
}
"""By the name that `--backprop-report` takes."""


def is_folder(name: str) -> bool:
    """Whether a report of this format is a folder; those that plugins add are files."""
    return name in FORMATS and FORMATS[name].folder


# What Moodle calls the columns of its exports, in English and in Russian, in small letters.
IDENTIFIER = ("identifier", "идентификатор")
ID_NUMBER = ("id number", "idnumber", "индивидуальный номер")
EMAIL = ("email address", "email", "адрес электронной почты", "e-mail")
FULL_NAME = ("full name", "полное имя")
