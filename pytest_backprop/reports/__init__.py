"""Reports: one document, and a renderer a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..drawn import Drawing
from . import json_report
from .document import Document

RENDERERS: dict[str, Callable[[Document], str]] = {"json": json_report.render}
"""Format name -> document -> text of one file."""


def _html(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    from .html_report import files  # only then are its libraries needed

    return files(document, drawings)


FOLDERS: dict[str, Callable[[Document, Mapping[str, Drawing]], Iterator[tuple[str, bytes]]]] = {
    "html": _html
}
"""Format name -> document, drawings by path -> the files of a folder."""

DRAWN = frozenset(FOLDERS)
"""Formats for which grades must carry drawings."""
