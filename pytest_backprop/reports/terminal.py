"""What the terminal shows of a check that failed, and how text fits its columns. Text only, no
colour codes: pytest's writer gets the markup beside the text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from ..messages import say
from ..model.verdict import in_order
from .document import CheckEntry, FindingEntry, SubmissionEntry
from .feedback import (
    CODE,
    Hints,
    explained_checks,
    explanation,
    first_fault,
    is_judged,
    points,
    shown_checks,
)
from .text import decimal, in_words, one_line, visible

Line = tuple[str, dict[str, bool]]

SOURCE_SHOWN = 56
"""Columns of a source line: with its cell and line before it, they fit a terminal of 80."""
WRAP = 80
"""Columns of the text about a failed check; pytest prints it as it is."""
GAP = "  "


def account(entry: SubmissionEntry, title: str, hints: Hints) -> list[str]:
    """What a student is told of one submission: the score, and why checks lost points, what to fix
    first before all."""
    score = decimal(entry.score, 2) if is_judged(entry) else "–"
    lines = [f"{title}: {score}/{decimal(entry.max_score, 2)}"]
    if entry.status != "graded":
        lines[0] += f" · {in_words(entry.status)}"
    checks = shown_checks(entry)
    lines += wrapped(", ".join(f"{check.id} {points(check)}" for check in checks), "")
    first = first_fault(checks)
    explained = sorted(explained_checks(entry), key=lambda c: first is None or c != first[0])
    told = {finding.message for check in explained for finding in check.findings}
    for text in dict.fromkeys((entry.message, *entry.notes)):
        if text and text not in told:
            lines += wrapped(text, "")
    alike: dict[str, list[CheckEntry]] = {}
    for check in explained:
        alike.setdefault("\n".join(failure_lines(check, hints)), []).append(check)
    for check, *others in _told_once(alike.values()):
        lines += ["", *map(check_head, (check, *others)), *failure_lines(check, hints)]
    return lines


def _told_once(alike: Iterable[Sequence[CheckEntry]]) -> Iterator[Sequence[CheckEntry]]:
    """Checks, those of one text together; the first without findings and hints that stood in one
    before."""
    told: set[object] = set()
    for check, *others in alike:
        findings = []
        for each in in_order(check.findings):
            place = each.message, each.file, each.cell, each.line
            if place not in told:
                findings.append(replace(each, hint=None if each.hint in told else each.hint))
            told |= {place, each.hint}
        yield replace(check, findings=findings), *others


def check_head(check: CheckEntry) -> str:
    """`gradient: 20 of 40 points`, or `gradient: not judged`: a zero would read as the
    student's."""
    if check.outcome == "not_judged":
        return say("{check}: not judged", check=check.id)
    return say(
        "{check}: {score:g} of {max_score:g} points",
        check=check.id,
        score=check.score,
        max_score=check.max_score,
    )


def failure_lines(check: CheckEntry, hints: Hints = "line") -> list[str]:
    """Why a check failed, for its pytest item, with a caret under the column of each finding."""
    (_, message, _), *others = explanation(check, hints)
    lines = wrapped(message, "")
    for indent, text, finding in others:
        if finding is not None:
            lines += _source(finding, text)
        elif indent == CODE:
            lines.append(" " * CODE + text)
        else:
            first, *rest = text.split("\n")
            lines += wrapped(first, " " * (indent + 2))
            lines += [line for other in rest for line in wrapped(other, "    ")]
    return lines


def _source(finding: FindingEntry, place: str) -> list[str]:
    """The line of a finding, without its indentation, and a caret under the column."""
    head = f"  {place}: "
    source = (finding.source or "").rstrip()
    indent = len(source) - len(source.lstrip())
    column = (finding.column or 0) - 1
    start = indent
    # Of a very long line, show what is around the column.
    if column - indent > SOURCE_SHOWN // 2 and len(source) - indent > SOURCE_SHOWN:
        start = column - SOURCE_SHOWN // 2
    if not source[start:]:
        return [head.rstrip(" :")]
    left = "…" if start > indent else ""
    shown = fitted(left + _flat(source[start:]), SOURCE_SHOWN)
    # the column counts in the line as it was written, before controls in it were made visible
    if not start <= column < len(source) or "\\u" in source:
        return [head + shown]
    before = width_of(head + left + _flat(source[start:column]))
    return [head + shown, " " * before + "^"]


# -- columns ------------------------------------------------------------------------------------


def wrapped(text: str, indent: str, width: int = WRAP) -> list[str]:
    """Lines of at most `width` columns. Lines after the first are indented two more."""
    lines = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )
    # textwrap counts characters; wide letters take two columns
    return [fitted(line, width) for line in lines] or [indent.rstrip()]


def table_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells in columns; the last is of numbers."""
    *texts, number = cells
    padded = [
        text + " " * (width - width_of(text)) for text, width in zip(texts, widths, strict=False)
    ]
    return GAP.join((*padded, " " * (widths[-1] - width_of(number)) + number))


def _flat(text: str) -> str:
    return visible(text).replace("\n", " ").replace("\t", "    ")


def label(text: str, width: int) -> str:
    """A name or path in a line, in at most `width` columns: the end of it."""
    return fitted(one_line(text), width, keep_end=True)


def width_of(text: str) -> int:
    """Columns that `text` takes; letters of Chinese take two, combining marks none."""
    from wcwidth import wcswidth  # its tables take a hundredth of the time that a run starts in

    width: int = wcswidth(text)
    return len(text) if width < 0 else width


def fitted(text: str, width: int, *, keep_end: bool = False) -> str:
    """`text` in at most `width` columns, cut at the end, or at the beginning: of a path, the end
    tells."""
    text = text.replace("\t", " " if keep_end else "    ")
    if width_of(text) <= width:
        return text
    width = max(1, width)
    text = text[-4 * width :] if keep_end else text[: 4 * width]
    while text and width_of(text) >= width:
        text = text[1:] if keep_end else text[:-1]
    return "…" + text if keep_end else text + "…"
