"""Text as Python's tokenizer counts its lines, and places in it as a reader does."""

from __future__ import annotations

import re

from ..model import Place, Span, Submission

MAX_SOURCE = 2_000
"""Characters of a line that stands in a finding; each of its findings has it."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def normal_text(text: str) -> str:
    """The same text with `\\n` for every line break that Python's tokenizer knows.

    Other characters that look like line breaks (form feed, U+2028, `\\x85`) stay: neither Python
    nor a student's editor starts a new line there. A byte-order mark goes, and lone surrogates,
    which JSON can hold but no encoder can write, become U+FFFD.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _LONE_SURROGATE.sub("\ufffd", text)


def place_of(submission: Submission, span: Span | None) -> Place | None:
    """The place of a span in a reader's counting; None for one outside the submission."""
    if span is None or not 0 <= span.unit < len(submission.units):
        return None
    unit = submission.units[span.unit]
    lines = (unit.original or unit.text).split("\n")
    if not 1 <= span.line <= len(lines):
        return None
    source = lines[span.line - 1]
    before = source.encode("utf-8", "replace")[: max(span.column, 0)]
    column = len(before.decode("utf-8", "replace")) + 1
    shown = source[:MAX_SOURCE]
    return Place(submission.path, span.line, column, unit.cell, shown, unit.execution_count)
