"""Reports: one document, and a renderer a format (`model.formats`), each from the document to text.

`document` says what is told, `entries` makes it of grades, `writing` puts what a renderer gives in
its place. It does not know how a grade came about."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..model.drawing import Drawing
from ..model.formats import FORMATS
from .document import Document


def _renderer(place: str) -> Callable[..., Any]:
    # its libraries are needed only where it is called
    return lambda *arguments: pkgutil.resolve_name(f"{__name__}.{place}")(*arguments)


RENDERERS: dict[str, Callable[[Document], str]] = {
    name: _renderer(of.renderer) for name, of in FORMATS.items() if not of.folder
}
"""Format name -> document -> text of one file."""

FOLDERS: dict[str, Callable[[Document, Mapping[str, Drawing]], Iterator[tuple[str, bytes]]]] = {
    name: _renderer(of.renderer) for name, of in FORMATS.items() if of.folder
}
"""Format name -> document, drawings by path -> (path, content) of the files of a folder."""

SINGLE = frozenset(name for name, format in FORMATS.items() if format.single)
"""Formats of a report on one submission."""

ALIKE_PAGE = "alike.html"
"""In the HTML report, where a class was compared. It shows one student's work beside another's."""
