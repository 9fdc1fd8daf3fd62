"""Markdown for a comment, an issue or a job summary: a table of grades, then what went wrong.

What a submission can influence stands in code, where nothing is a link, a mention, HTML or a
heading. The whole fits a comment on GitHub, the strictest of readers; what does not is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..messages import say, say_count
from .document import CheckEntry, Document, SubmissionEntry
from .feedback import cut, decimal, feedback, is_judged, points, remarks, to_tell
from .words import status_label, variant_label

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
    room = LIMIT - _ROOM - len(head.encode())
    rows, room = _taken((_row(entry, named) for entry in entries), room)
    told = [part for entry in entries if (part := _details(document, entry))]
    parts, room = _taken(iter(told), room)
    text = head + "".join(rows)
    if len(rows) < len(entries):
        left = len(entries) - len(rows)
        text += "\n" + say_count("and {count} more", "and {count} more", left) + "\n"
    text += "".join(parts)
    if len(parts) < len(told):
        left = len(told) - len(parts)
        text += "\n" + say_count(
            "what {count} more lost is left out: it would be too long",
            "what {count} more lost is left out: it would be too long",
            left,
        )
        text += "\n"
    return text


def code(text: str, limit: int = CELL) -> str:
    """`text` as code within a line, also in a table."""
    text = cut(" ".join(text.split()), limit).replace("|", "\\|") or " "
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(text: str) -> str:
    """`text` as a block of code."""
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
    of = decimal(entry.max_score)
    status = status_label(entry.status)
    variant = variant_label(entry.variant, entry.variant_source)
    cells = [code(entry.path), *([code(entry.student or "-")] if named else []), code(variant)]
    return f"| {' | '.join(cells)} | {score} / {of} | {status} |\n"


def _details(document: Document, entry: SubmissionEntry) -> str:
    """What a submission lost, and why; empty if nothing that may be shown."""
    lost = to_tell(entry)
    told = remarks(entry)
    if not lost and not told:
        return ""
    parts = [f"\n### {code(entry.path)}\n\n"]
    if told:
        parts.append(block(cut(told, EACH)) + "\n")
    parts += [_check(document, check) for check in lost]
    return "".join(parts)


def _check(document: Document, check: CheckEntry) -> str:
    return f"{code(check.id)} {points(check)}\n\n{block(cut(feedback(check, document), EACH))}\n"


def _taken(parts: Iterator[str], room: int) -> tuple[list[str], int]:
    """The first of `parts` that fit into `room` bytes, and what room is left."""
    taken = []
    for part in parts:
        room -= len(part.encode())
        if room < 0:
            break
        taken.append(part)
    return taken, room
