"""The HTML report: a page for the class, one for each submission, and what they share.

It is read from a folder, without a server: nothing in it asks for anything outside that folder, and
all text of a submission is text only. Scripts add sorting, filtering and the layout of the graph;
without them the pages still tell everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ...model.drawing import Drawing
from ..document import Document
from . import class_page, student_page
from .site import Site, page_names

_HERE = Path(__file__).parent
_ASSETS = {
    "report.css": _HERE / "assets/report.css",
    "class.js": _HERE / "assets/class.js",
    "student.js": _HERE / "assets/student.js",
    "viz.js": _HERE / "vendor/viz.js",
    "LICENSE-viz.txt": _HERE / "vendor/LICENSE-viz.txt",
}


def files(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    """The files of the report, as (relative path, content); `drawings` by path of the entry.

    The document must have been through `apply_hints`: the pages mark what its findings point at,
    and of the drawings no more than its settings allow.
    """
    names = page_names(document)
    site = Site()
    for name, path in _ASSETS.items():
        yield f"assets/{name}", path.read_bytes()
    yield "index.html", class_page.page(site, document, names)
    for number, entry in enumerate(document.submissions):
        drawing = drawings.get(entry.path)
        yield names[number], student_page.page(site, document, number, drawing)
