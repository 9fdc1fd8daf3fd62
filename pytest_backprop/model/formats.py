"""One table of report formats: who writes, reads or offers one goes by it."""

from __future__ import annotations

from typing import Literal, NamedTuple

FILE, FOLDER = "file", "folder"
Preset = Literal["canvas", "moodle"]


class ReportFormat(NamedTuple):
    """What a report writes, and the function of `reports` that makes it: the text of a file from
    the document, or the files of a folder from the document and the drawings.

    `single`: it is on one submission, and written also if none was found, as who reads it waits for
    a file. `fills`: whose gradebook it fills in. `draws`: whether it shows the drawings.
    """

    writes: str
    renderer: str = ""
    single: bool = False
    fills: Preset | None = None
    draws: bool = False


FORMATS: dict[str, ReportFormat] = {
    # the document itself, of which all others are made
    "json": ReportFormat(FILE, "json_report.render"),
    # pages to look at, one a submission
    "html": ReportFormat(FOLDER, "html_report.files", draws=True),
    # what each student is told, in a file of its own
    "feedback": ReportFormat(FOLDER, "markdown.files"),
    # a table, a line a submission; and as two gradebooks take it in
    "csv": ReportFormat(FILE, "csv_report.render"),
    "csv-canvas": ReportFormat(FILE, "csv_report.render_canvas", fills="canvas"),
    "csv-moodle": ReportFormat(FILE, "csv_report.render_moodle", fills="moodle"),
    # the results of one student, for the graders of courses
    "gradescope": ReportFormat(FILE, "graders.gradescope", single=True),
    "github-classroom": ReportFormat(FILE, "graders.github_classroom", single=True),
    # remarks beside the lines of a pull request
    "github-annotations": ReportFormat(FILE, "ci.github_annotations"),
    "prairielearn": ReportFormat(FILE, "graders.prairielearn", single=True),
    "moodle-vpl": ReportFormat(FILE, "graders.moodle_vpl", single=True),
    "coderunner": ReportFormat(FILE, "graders.coderunner", single=True),
    # the common format of test reports
    "ctrf": ReportFormat(FILE, "ci.ctrf"),
    # a summary for a page of a forge
    "markdown": ReportFormat(FILE, "markdown.render"),
}
"""By the name that `--backprop-report` takes."""


def is_folder(name: str) -> bool:
    """Whether a report of this format is a folder; those that plugins add are files."""
    return name in FORMATS and FORMATS[name].writes == FOLDER


# What Moodle calls the columns of its exports, in English and in Russian, in small letters.
IDENTIFIER = ("identifier", "идентификатор")
ID_NUMBER = ("id number", "idnumber", "индивидуальный номер")
EMAIL = ("email address", "email", "адрес электронной почты", "e-mail")
FULL_NAME = ("full name", "полное имя")
