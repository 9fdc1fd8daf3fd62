"""For tests of the HTML report: grades made into pages, and pages read back without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
from report_checks import LATE, check, grade

from pytest_backprop.likeness import page as alike_page
from pytest_backprop.likeness.comparison import compare
from pytest_backprop.model import Finding, Grade, Place
from pytest_backprop.model.drawing import (
    Drawing,
    DrawnLife,
    DrawnLine,
    DrawnNode,
    DrawnTarget,
    Fragment,
)
from pytest_backprop.reports.document import Document, ToolInfo
from pytest_backprop.reports.entries import apply_hints, document, drawings_of
from pytest_backprop.reports.html_report import files

TOOL = ToolInfo(name="pytest-backprop", version="1.0", torch="2.13.0", python="3.11.4")
SETTINGS: dict[str, Any] = {
    "seed": 0, "points": 4096, "rtol": 5e-5, "atol": 1e-7, "variant": None, "variants": "built-in",
    "roster": None, "assignment": None, "rubric": None, "class_name": None, "timeout": 20.0,
    "memory_mb": 2048,
    "sandbox": "auto", "hints": "line", "lang": "en", "kind": "forward-backward",
}  # fmt: skip
VOID = {"meta", "link", "input", "br", "col", "wbr"}


def made(grades: Sequence[Grade], hints: Any = "line") -> Document:
    """The document as reports get it."""
    settings = SETTINGS | {"hints": hints}
    return apply_hints(document(grades, settings, TOOL, 1.0, alike=compare(grades)), hints)


def by_path(grades: Sequence[Grade]) -> dict[str, Drawing]:
    """Their drawings."""
    return drawings_of({grade.path: grade for grade in grades})


def pages(grades: Sequence[Grade], hints: Any = "line") -> dict[str, str]:
    """The pages of a report by name, as text; assets left out."""
    shown, drawings = made(grades, hints), by_path(grades)
    written = [*files(shown, drawings), *alike_page.files(shown, drawings)]
    return {name: content.decode() for name, content in written if name.endswith(".html")}


def student_page(one: Grade, hints: Any = "line") -> str:
    """The page of the only submission."""
    (page,) = (text for name, text in pages([one], hints).items() if name != "index.html")
    return page


def write(folder: Path, grades: Sequence[Grade], only_class: bool = False) -> None:
    """A report on disk; `only_class` leaves the students' pages out."""
    shown, drawings = made(grades), by_path(grades)
    for name, content in [*files(shown, drawings), *alike_page.files(shown, drawings)]:
        if not (only_class and name.startswith("students/")):
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


class Page(HTMLParser):
    """A page taken apart: its tags with attributes, its text, and the data for its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        else:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every such tag."""
        return [attributes for name, attributes in self.tags if name == tag]

    def ids(self) -> list[str]:
        """Every id on the page."""
        return [str(attributes["id"]) for _, attributes in self.tags if "id" in attributes]

    @property
    def data(self) -> dict[str, Any]:
        """What the graph is drawn from."""
        found: dict[str, Any] = json.loads(next(s for s in self.scripts if s.startswith("{")))
        return found


SOURCE = ("class Net:", "    t9 = w0 * x1", "    waste = t9 + t9", "    y = t9 + x1", "    # end")
DRAWING = Drawing(
    (Fragment(4, 41, SOURCE),),
    leaves=("w0", "x1"),
    nodes=(
        DrawnNode("mul", "t9", DrawnLine(4, 42), "forward", (), (0, 1), late=True),
        DrawnNode("add", "waste", DrawnLine(4, 43), "unused", (0,), ()),
        DrawnNode("add", "y", DrawnLine(4, 44), "forward", (0,), (1,)),
        DrawnNode("clone", None, None, "backward", (), (1,)),
    ),
    targets=(DrawnTarget("y", (2,)), DrawnTarget("∂y/∂w0", (3,))),
    steps=(DrawnLine(4, 42), DrawnLine(4, 43), DrawnLine(4, 44), None),
    lives=(
        DrawnLife("t9", DrawnLine(4, 42), 0, 2, 3, "late"),
        DrawnLife("waste", DrawnLine(4, 43), 1, 1, 1, "none"),
        DrawnLife("y", DrawnLine(4, 44), 2, 2, 3, "kept"),
    ),
    live=(1, 2, 3, 2),
    autograd_peak=2,
)
WRONG = Finding(
    kind="wrong-gradient",
    message="d y / d w0 is wrong",
    place=Place(path="a.ipynb", line=44, column=5, cell=4, source=SOURCE[3]),
    hint="follow each path",
)


def drawn(path: str = "a.ipynb", **changes: Any) -> Grade:
    """A grade with a drawing, a late value at line 43 and a wrong line 44 of cell 4."""
    late = check("release", 0.9, findings=(LATE,))
    wrong = check("gradient", 0.5, of=40, findings=(WRONG,), details={"reproducer": "print(1)"})
    made = grade(path, check("forward", of=40), wrong, late)
    return msgspec.structs.replace(made, **({"drawing": DRAWING} | changes))
