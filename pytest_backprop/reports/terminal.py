"""What the terminal shows: of one submission, of a check that failed, and of a run: a table of
grades; of a class, its commonest faults and what to look at; and what became of grades that there
were before. Text only, no colour codes: pytest's writer gets the markup beside the text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ..messages import say, say_count
from ..model import NO_GRADE
from ..model.verdict import bare, in_order
from .document import CheckEntry, Document, FindingEntry, SubmissionEntry
from .feedback import (
    CODE,
    Hints,
    explained_checks,
    explanation,
    first_fault,
    is_judged,
    more,
    points,
    shared_faults,
    shown_checks,
    totals,
    unjudged_checks,
    where,
)
from .text import decimal, in_words, one_line, variant_label, visible

Line = tuple[str, dict[str, bool]]

SOURCE_SHOWN = 56
"""Columns of a source line: with its cell and line before it, they fit a terminal of 80."""
WRAP = 80
"""Columns of the text about a failed check; pytest prints it as it is."""
GAP = "  "
MANY = 10
"""Submissions of which each is told in full; of more, the class is."""
COMMONEST, LOOKED_AT = 8, 12
"""Lines of faults, and of submissions to look at."""
REGRADES_SHOWN = 20
"""Scores that changed, one by one."""
NAME = 24
"""Columns of a student's name, and of a variant, in the table."""


# -- one submission ------------------------------------------------------------------------------


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
    messages = {finding.message for check in explained for finding in check.findings}
    for text in dict.fromkeys((entry.message, *entry.notes)):
        if text and text not in messages:
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


# -- the table ------------------------------------------------------------------------------------


def summary_lines(document: Document, width: int, *, explained: bool = True) -> list[Line]:
    """The table of grades for a terminal `width` columns wide: (text, markup) a line.

    Path, variant and score, and, if `explained`, another line of what is wrong first."""
    entries = document.submissions
    columns = {
        say("score"): [
            f"{decimal(e.score, 2) if is_judged(e) else '-'}/{decimal(e.max_score, 2)}"
            for e in entries
        ]
    }
    if not all(entry.parts and entry.variant is None for entry in entries):
        variants = [label(variant_label(e.variant, e.variant_source), NAME) for e in entries]
        columns = {say("variant"): variants, **columns}
    if any(entry.student for entry in entries):
        names = [fitted(one_line(entry.student or "-"), NAME) for entry in entries]
        columns = {say("student"): names, **columns}
    widths = [max(width_of(head), *map(width_of, cells)) for head, cells in columns.items()]
    of_paths = max(10, width - sum(widths) - len(GAP) * len(widths))
    widths = [of_paths, *widths]
    lines: list[Line] = [(table_row((say("submission"), *columns), widths), {"bold": True})]
    for entry, *cells in zip(entries, *columns.values(), strict=True):
        lines.append((table_row((label(entry.path, of_paths), *cells), widths), _markup(entry)))
        if explained:
            texts = [_parts(entry)] if entry.parts else []
            texts += _troubles(document, entry)
            if entry.late is not None and entry.late.deduction:
                days, points = entry.late.days, entry.late.deduction
                texts.append(say("late: day {day}, {points:g} points off", day=days, points=points))
            lines += [(text, {}) for text in _below(texts, entry, width)]
    return [
        *lines,
        ("", {}),
        *((text, {"bold": True}) for text in wrapped(totals(document), "", width)),
    ]


def _below(texts: Sequence[str], entry: SubmissionEntry, width: int) -> list[str]:
    """`texts` below a row of the table, each cut to a line. What was not judged before whoever
    grades has done something is shown whole: they have nowhere else to read what."""
    if entry.status == "not_judged":
        return [line for text in texts for line in wrapped(text, "    ", width)]
    return [fitted(f"    {text}", width) for text in texts]


def _markup(entry: SubmissionEntry) -> dict[str, bool]:
    if not is_judged(entry) or unjudged_checks(entry):
        return {"yellow": True}
    if entry.score >= entry.max_score:
        return {"green": True}
    return {"yellow" if entry.score > 0 else "red": True}


def _parts(entry: SubmissionEntry) -> str:
    """What each part earned."""
    texts = [
        f"{part.name} {'-' if part.status in NO_GRADE else decimal(part.score, 2)}"
        f"/{decimal(part.max_score, 2)}"
        for part in entry.parts
    ]
    return ", ".join(texts)


def _troubles(document: Document, entry: SubmissionEntry) -> list[str]:
    """One line on what is wrong, and one on what was not judged."""
    if entry.status != "graded":
        words = in_words(entry.status)
        return [f"{words}: {entry.message}" if entry.message else words]
    lines = []
    if (first := first_fault(entry.checks)) is not None:
        check, fault = first
        if fault is None or document.settings.hints == "none":
            lines.append(f"{check.id}: {check.message}")
        else:
            place = f"{where(fault)}: " if where(fault) else ""
            lines.append(f"{check.id}: {place}{one_line(fault.message)}")
    if unjudged := unjudged_checks(entry):
        checks = ", ".join(check.id for check in unjudged)
        reason = one_line(str(unjudged[0].details.get("reason", unjudged[0].message)))
        lines.append(say("not judged: {checks} ({reason})", checks=checks, reason=reason))
    return lines


# -- a class --------------------------------------------------------------------------------------


def class_lines(document: Document, width: int) -> list[Line]:
    """The summary of a class for a terminal `width` columns wide: (text, markup) a line."""
    lines = summary_lines(document, width, explained=False)
    lists = {
        say("commonest faults"): _commonest(document, width),
        say("to look at"): _to_look_at(document, width),
    }
    for title, texts in lists.items():
        if texts:
            lines += [("", {}), (title, {"bold": True}), *((text, {}) for text in texts)]
    if any(lists.values()):
        lines += [("", {}), (say("why each check failed: with -v, or for one file"), {})]
    return lines


def _commonest(document: Document, width: int) -> list[str]:
    """Kinds of faults by the number of submissions that have them, with one of these."""
    texts = [
        say_count(
            "{count} submission: {check}, {kind}, as in {path}",
            "{count} submissions: {check}, {kind}, as in {path}",
            len(fault.submissions),
            check=fault.check,
            kind=fault.kind,
            path=label(document.submissions[fault.submissions[0]].path, 40),
        )
        for fault in shared_faults(document)
        if fault.check is not None
    ]
    return [fitted(f"    {text}", width) for text in texts[:COMMONEST]]


def _to_look_at(document: Document, width: int) -> list[str]:
    """What no grader can settle: not judged, not manual, not read, a task of its own."""
    having: dict[tuple[int, str, str], list[SubmissionEntry]] = {}
    for entry in document.submissions:
        unjudged = bool(unjudged_checks(entry))
        rank = 0 if unjudged else 1 if entry.status != "graded" else 2
        breach = any(
            bare(c.id) == "integrity" and c.outcome in ("failed", "partial") for c in entry.checks
        )
        if entry.status != "not_reached" and (rank < 2 or breach):
            text = _troubles(document, entry)[-1 if unjudged else 0]
            # what kept many from being judged is one thing to mend
            whose = "" if entry.status in NO_GRADE else entry.path
            having.setdefault((rank, text, whose), []).append(entry)
    ordered = sorted(having.items(), key=lambda item: (item[0][0], item[1][0].path))
    lines = []
    for (_, text, _), (first, *others) in ordered[:LOOKED_AT]:
        path = label(first.path, width // 3)
        if others:
            path += f" ({more(len(others))})"
        lines += _below([f"{path}: {text}"], first, width)
    left = sum(len(same) for _, same in ordered[LOOKED_AT:])
    return [*lines, f"    … {more(left)}"] if left else lines


# -- grades that there were before ----------------------------------------------------------------


class Regrade(NamedTuple):
    """A score before and after, and why, each reason a sentence."""

    path: str
    before: str
    after: str
    reasons: tuple[str, ...]


def regraded_score(entry: SubmissionEntry) -> str:
    """The points of a grade, as a regrade tells them."""
    return decimal(entry.score, 2) if is_judged(entry) else say("not judged")


def regrade_lines(regrades: Sequence[Regrade], width: int) -> list[str]:
    """What became of grades that there were before, by what brought the change: scores that
    changed one by one, REGRADES_SHOWN at most, the others counted."""
    groups: dict[tuple[str, ...], list[Regrade]] = {}
    for regrade in sorted(regrades, key=lambda regrade: regrade.path):
        groups.setdefault(regrade.reasons, []).append(regrade)
    lines: list[str] = []
    for reasons, group in groups.items():
        lines += wrapped(say("regraded because {why}:", why="; ".join(reasons)), "", width)
        changed = [regrade for regrade in group if regrade.before != regrade.after]
        for path, before, after, _ in changed[:REGRADES_SHOWN]:
            text = say("{path}: {old} -> {new}", path=one_line(path), old=before, new=after)
            lines.append(fitted(f"    {text}", width, keep_end=True))
        if (left := len(changed) - REGRADES_SHOWN) > 0:
            lines.append("    " + more(left))
        if same := len(group) - len(changed):
            text = say_count(
                "{count} has the score it had", "{count} have the score they had", same
            )
            lines.append(f"    {text}")
    return lines


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
