"""Reports: one document, and a renderer a format, each from the document to text.

`document` says what is told, `folder` and `text` write it. It does not know how a grade came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model.drawing import Drawing
from . import (
    coderunner,
    csv_report,
    ctrf,
    github,
    gradescope,
    json_report,
    markdown,
    moodle_vpl,
    prairielearn,
)
from .document import Document

RENDERERS: dict[str, Callable[[Document], str]] = {
    "json": json_report.render,
    "gradescope": gradescope.render,
    "csv": csv_report.render,
    "csv-canvas": csv_report.render_canvas,
    "csv-moodle": csv_report.render_moodle,
    "github-classroom": github.render_classroom,
    "github-annotations": github.render_annotations,
    "prairielearn": prairielearn.render,
    "moodle-vpl": moodle_vpl.render,
    "coderunner": coderunner.render,
    "ctrf": ctrf.render,
    "markdown": markdown.render,
}
"""Format name -> document -> text of one file."""

SINGLE = frozenset({"gradescope", "github-classroom", "prairielearn", "moodle-vpl", "coderunner"})
"""Formats of a report on one submission. They are written also if none was found: who reads them
waits for a file."""


def _html(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    from .html_report import files  # only then are its libraries needed

    return files(document, drawings)


FOLDERS: dict[str, Callable[[Document, Mapping[str, Drawing]], Iterator[tuple[str, bytes]]]] = {
    "html": _html
}
"""Format name -> document, drawings by path -> the files of a folder."""

DRAWN = frozenset(FOLDERS)
"""Formats for which grades must carry drawings."""
