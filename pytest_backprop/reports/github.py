"""GitHub's annotations of the code."""

from __future__ import annotations

from .document import Document
from .marks import Mark, marks_of
from .text import cut

ANNOTATIONS_SHOWN = 10
"""GitHub shows as many of a step, of each level."""
LEVELS = {"fault": "error", "note": "warning", "neutral": "notice"}


def render(document: Document) -> str:
    """Commands that GitHub's runner turns into annotations when a step prints them: an error for
    each fault, a warning for each note, at the student's own lines; a notice where a wrong number
    is stored."""
    lines: dict[str, list[str]] = {level: [] for level in LEVELS.values()}
    for mark in marks_of(document):
        lines[LEVELS[mark.tone]].append(_command(mark))
    return "".join(
        line + "\n" for level in lines.values() for line in dict.fromkeys(level[:ANNOTATIONS_SHOWN])
    )


def _command(mark: Mark) -> str:
    message = "\n".join(filter(None, [mark.text, mark.hint]))
    properties = {"file": mark.path, "line": mark.row, "title": f"backprop: {mark.rule}"}
    texts = {k: _data(cut(str(v), 300)) for k, v in properties.items() if v}
    pairs = (f"{k}={text.replace(':', '%3A').replace(',', '%2C')}" for k, text in texts.items())
    return f"::{LEVELS[mark.tone]} {','.join(pairs)}::{_data(cut(message, 1_000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
