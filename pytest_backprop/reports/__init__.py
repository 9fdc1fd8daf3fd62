"""Reports: one document, and a renderer a format (`model.formats`), each from the document to text.

`document` says what is told, `folder` and `text` write it. It does not know how a grade came about.
"""

from __future__ import annotations

import functools
import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..model import Grade
from ..model.drawing import Drawing
from ..model.formats import FILE, FOLDER, FORMATS
from .document import Document
from .text import clean


def _function(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(f".{module}", __name__), function)
    return found


def _folder(name: str, *args: Any) -> Iterator[tuple[str, bytes]]:
    render = _function(FORMATS[name].renderer)  # only now its libraries are needed
    files: Iterator[tuple[str, bytes]] = render(*args)
    return files


RENDERERS: dict[str, Callable[[Document], str]] = {
    name: _function(format.renderer) for name, format in FORMATS.items() if format.writes == FILE
}
"""Format name -> document -> text of one file."""

FOLDERS: dict[str, Callable[[Document, Mapping[str, Drawing]], Iterator[tuple[str, bytes]]]] = {
    name: functools.partial(_folder, name)
    for name, format in FORMATS.items()
    if format.writes == FOLDER
}
"""Format name -> document, drawings by path -> the files of a folder."""

DRAWN = frozenset(name for name, format in FORMATS.items() if format.draws)
"""Formats for which grades must carry drawings."""

SINGLE = frozenset(name for name, format in FORMATS.items() if format.single)
"""Formats of a report on one submission."""


def drawings_of(grades: Mapping[str, Grade]) -> dict[str, Drawing]:
    """The drawings by the paths of their entries, of grades by their own paths. Where two entries share a path there
    is none: nobody's page may show another's work."""
    times = Counter(map(clean, grades))
    return {
        clean(path): grade.drawing
        for path, grade in grades.items()
        if grade.drawing is not None and times[clean(path)] == 1
    }
