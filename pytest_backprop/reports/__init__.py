"""Reports: one document, and a renderer a format."""

from __future__ import annotations

from collections.abc import Callable

from . import json_report
from .document import Document

RENDERERS: dict[str, Callable[[Document], str]] = {"json": json_report.render}
"""Format name -> document -> text."""
