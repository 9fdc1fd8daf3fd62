"""Markdown for a comment, an issue or a job summary: a table of grades, then what went wrong.

What a submission can influence stands in code, where nothing is a link, a mention, HTML or a
heading. The whole fits a comment on GitHub, the strictest of readers; what does not is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..messages import say, say_count
from .document import Document, SubmissionEntry
from .feedback import cut, decimal, explained_checks, feedback, is_judged, more, points, remarks
from .text import status_label, variant_label

LIMIT, EACH, CELL = 65_000, 4_000, 120
"""Bytes of the whole; characters of the text of a check and of a cell."""
_ROOM = 400
"""Bytes kept for the lines that say what was left out."""


def render(document: Document) -> str:
    """All submissions, without the checks that are hidden from students."""
    entries = document.submissions
    head = f"## {_counted(document)}\n\n"
    if not entries:
        return head + say("nothing to grade: no .py or .ipynb file was found") + "\n"
    named = any(entry.student for entry in entries)
    titles = [say("submission"), say("variant"), say("score"), say("status")]
    rule = "|:--|:--|--:|:--|"
    if named:
        titles.insert(1, say("student"))
        rule = f"|:--{rule}"
    head += f"| {' | '.join(titles)} |\n{rule}\n"
    details = [part for entry in entries if (part := _details(document, entry))]
    room = LIMIT - _ROOM - len(head.encode())
    rows, room = _fitting((_row(entry, named) for entry in entries), room)
    parts, _ = _fitting(details, room)
    text = head + "".join(rows)
    if len(rows) < len(entries):
        text += f"\n{more(len(entries) - len(rows))}\n"
    text += "".join(parts)
    if len(parts) < len(details):
        text += "\n" + say_count(
            "what {count} more lost is left out: it would be too long",
            "what {count} more lost is left out: it would be too long",
            len(details) - len(parts),
        )
        text += "\n"
    return text


def code(text: str, limit: int = CELL) -> str:
    """`text` as code within a line, also in a table."""
    text = cut(" ".join(text.split()), limit).replace("|", "\\|") or " "
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(text: str, limit: int) -> str:
    """`text` as a block of code."""
    text = cut(text, limit)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _counted(document: Document) -> str:
    summary = document.summary
    parts = [say("graded {graded} of {total}", graded=summary.graded, total=summary.submissions)]
    if summary.mean is not None and summary.median is not None and summary.submissions > 1:
        parts.append(say("mean {score}", score=f"{summary.mean:.4g}"))
        parts.append(say("median {score}", score=f"{summary.median:.4g}"))
    return "backprop: " + ", ".join(parts)


def _row(entry: SubmissionEntry, named: bool) -> str:
    score = decimal(entry.score) if is_judged(entry) else "–"
    variant = variant_label(entry.variant, entry.variant_source)
    cells = [code(entry.path), *([code(entry.student or "-")] if named else []), code(variant)]
    total = f"{score} / {decimal(entry.max_score)}"
    return f"| {' | '.join(cells)} | {total} | {status_label(entry.status)} |\n"


def _details(document: Document, entry: SubmissionEntry) -> str:
    """What a submission lost, and why; empty if nothing that may be shown."""
    remark = remarks(entry)
    parts = [block(remark, EACH) + "\n"] if remark else []
    parts += [
        f"{code(check.id)} {points(check)}\n\n{block(feedback(check, document), EACH)}\n"
        for check in explained_checks(entry)
    ]
    return f"\n### {code(entry.path)}\n\n{''.join(parts)}" if parts else ""


def _fitting(parts: Iterable[str], room: int) -> tuple[list[str], int]:
    """The first of `parts` that fit into `room` bytes, and what room is left."""
    fitting = []
    for part in parts:
        room -= len(part.encode())
        if room < 0:
            break
        fitting.append(part)
    return fitting, room
