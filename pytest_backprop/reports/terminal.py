"""What the terminal shows: a table of grades, and why a check failed. Text only, no colour codes:
pytest's writer gets the markup beside the text."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from wcwidth import wcswidth

from ..messages import say, say_count
from ..model import CheckResult, Finding, Grade, GradedCheck, Outcome, Place
from ..model.verdict import LINES, ORIGINS, in_order
from .entries import is_graded
from .feedback import FINDINGS_SHOWN
from .prominence import reproducer, tone
from .text import one_line, visible
from .words import OUTCOMES, place_label, status_label, variant_label

Line = tuple[str, dict[str, bool]]
Hints = Literal["none", "line"]

SOURCE_SHOWN = 56
"""Columns of a source line: with its cell and line before it, they fit a terminal of 80."""
STUDENT = 24
"""Columns of a student's name in the table."""
WRAP = 80
"""Columns of the text about a failed check; pytest prints it as it is."""
MARKS: Mapping[Outcome, dict[str, bool]] = {
    "passed": {"green": True},
    "partial": {"yellow": True},
    "failed": {"red": True},
    "not_judged": {"yellow": True},
}
_GAP = "  "


class _Row(NamedTuple):
    """What the table tells of a grade; `troubles` are the lines below."""

    path: str
    student: str | None
    variant: str
    score: str
    markup: dict[str, bool]
    troubles: list[str]


def summary_lines(
    grades: Collection[Grade], width: int, hints: Hints = "line", *, told: bool = True
) -> list[Line]:
    """The table of grades for a terminal `width` columns wide: (text, markup) a line.

    Path, variant and score, and, if `told`, another line of what is wrong first.
    """
    if not grades:
        return []
    rows = [
        _Row(
            grade.path,
            grade.student,
            label(variant_label(grade.variant, grade.variant_source), 24),
            _score(grade),
            _markup(grade),
            told_below(troubles(grade, hints), grade, width) if told else [],
        )
        for grade in grades
    ]
    rows.sort(key=lambda row: row.path)
    heads = say("submission"), say("student"), say("variant"), say("score")
    columns = {heads[2]: [row.variant for row in rows], heads[3]: [row.score for row in rows]}
    if any(row.student for row in rows):
        students = [fitted(one_line(row.student or "-"), STUDENT) for row in rows]
        columns = {heads[1]: students, **columns}
    widths = [max(_width(head), *map(_width, cells)) for head, cells in columns.items()]
    of_paths = max(10, width - sum(widths) - len(_GAP) * len(widths))
    lines: list[Line] = [(_row((heads[0], *columns), (of_paths, *widths)), {"bold": True})]
    for row, *cells in zip(rows, *columns.values(), strict=True):
        path = fitted_path(one_line(row.path), of_paths)
        lines.append((_row((path, *cells), (of_paths, *widths)), row.markup))
        lines += [(text, {}) for text in row.troubles]
    totals = wrapped(_totals(grades), "", width)
    return [*lines, ("", {}), *((line, {"bold": True}) for line in totals)]


def told_below(texts: Sequence[str], grade: Grade, width: int) -> list[str]:
    """`texts` below a row of the table, each cut to a line. What was not judged before whoever grades has done
    something is told whole: they have nowhere else to read what."""
    if grade.status == "not_judged":
        return [line for text in texts for line in wrapped(text, "    ", width)]
    return [fitted(f"    {text}", width) for text in texts]


HIDDEN: Mapping[Hints, tuple[str, ...]] = {"none": LINES, "line": ()}
"""Kinds that are not told, by the level of hints."""


def failure_lines(result: CheckResult, hints: Hints = "line") -> list[str]:
    """Why a check failed, for its pytest item: the message, then the first findings, the faulty line
    before all, each with its line, a caret under the column, and what to do."""
    headline = one_line(result.message)
    lines = wrapped(headline, "")
    findings = in_order(f for f in result.findings if f.kind not in HIDDEN[hints])
    before: Place | None = None
    for finding in findings[:FINDINGS_SHOWN]:
        # the headline often has the first finding's own message in it
        told = one_line(finding.message) in headline
        again = finding.place is not None and finding.place == before
        lines += _finding(finding, hints, told, again)
        before = finding.place
    if len(findings) > FINDINGS_SHOWN:
        left = len(findings) - FINDINGS_SHOWN
        lines.append("  … " + say_count("and {count} more", "and {count} more", left))
    code = reproducer(result.details, findings) if hints != "none" else None
    if code is not None:
        lines.append("  " + say("to see it, run this after the class:"))
        lines += [f"    {visible(line)}" for line in code.split("\n")]
    return lines


def grade_lines(grade: Grade, hints: Hints = "line") -> list[Line]:
    """All of one grade, in 80 columns: (text, markup) a line. Whose it is, a table of its checks, and
    what each that earned less than it could has to say."""
    whose = [
        say("student: {student}", student=", ".join(_identity(grade))) if _identity(grade) else "",
        _variant(grade),
        say("score: {score}", score=_score(grade)),
    ]
    lines: list[Line] = [(fitted_path(one_line(grade.path), WRAP), {"bold": True})]
    lines += [(fitted(one_line(text), WRAP), {}) for text in whose if text]
    if grade.status != "graded":
        lines += [(line, {}) for line in wrapped(status_label(grade.status), "")]
    lines += [("", {}), *_checks(grade)]
    faulty = [check for check in grade.checks if check.result.outcome != "passed"]
    for check in faulty if grade.status == "graded" else faulty[:1]:  # else all say the same
        lines += [("", {}), (fitted(one_line(check_head(check)), WRAP), {"bold": True})]
        lines += [(line, {}) for line in failure_lines(check.result, hints)]
    notes = [line for note in grade.notes for line in wrapped(one_line(note), "")]
    return [*lines, *([("", {})] if notes else []), *((line, {}) for line in notes)]


def check_head(check: GradedCheck) -> str:
    """`gradient: 20 of 40 points`, or `gradient: not judged`: a zero would read as the student's."""
    if check.result.outcome == "not_judged":
        return say("{check}: not judged", check=check.result.id)
    return say(
        "{check}: {score:g} of {max_score:g} points",
        check=check.result.id,
        score=check.score,
        max_score=check.max_score,
    )


def _variant(grade: Grade) -> str:
    named = variant_label(grade.variant, grade.variant_source)
    return say("variant: {variant}", variant=named) if grade.variant else ""


def _identity(grade: Grade) -> list[str]:
    return [text for text in (grade.student, grade.student_id, grade.email) if text]


def _checks(grade: Grade) -> list[Line]:
    """The table of one grade's checks."""
    rows = []
    for check in grade.checks:
        outcome = say(OUTCOMES[check.result.outcome])
        if check.visibility != "visible":
            outcome += f" ({check.visibility})"
        score = "-" if check.result.outcome == "not_judged" else two_decimals(check.score)
        points = f"{score}/{two_decimals(check.max_score)}"
        rows.append((label(check.result.id, 30), outcome, points))
    heads = say("check"), say("outcome"), say("points")
    widths = [max(map(_width, column)) for column in zip(heads, *rows, strict=True)]
    lines = [_row(row, widths) for row in (heads, *rows)]
    marks = [{"bold": True}, *(MARKS[check.result.outcome] for check in grade.checks)]
    return list(zip(lines, marks, strict=True))


# -- the table ----------------------------------------------------------------------------------


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells in columns; the last is of numbers."""
    *texts, number = cells
    indent = " " * (widths[-1] - _width(number))
    return _GAP.join((*map(_pad, texts, widths), indent + number))


def _markup(grade: Grade) -> dict[str, bool]:
    if not is_graded(grade) or _unjudged(grade):
        return {"yellow": True}
    if grade.score >= grade.max_score:
        return {"green": True}
    return {"yellow" if grade.score > 0 else "red": True}


def troubles(grade: Grade, hints: Hints) -> list[str]:
    """One line on what is wrong, one on what was not judged, and one on what lateness costs."""
    if grade.status != "graded":
        words = status_label(grade.status)
        return [f"{words}: {one_line(grade.message)}" if grade.message else words]
    lines = []
    faulty = [c for c in grade.checks if c.result.outcome in ("failed", "partial")]
    # A breach explains the zeroes before it.
    faulty.sort(key=lambda check: check.result.id != "integrity")
    if faulty:
        lines.append(_trouble(faulty[0].result, hints))
    unjudged = _unjudged(grade)
    if unjudged:
        result = unjudged[0].result
        checks = ", ".join(check.result.id for check in unjudged)
        reason = one_line(str(result.details.get("reason", result.message)))
        lines.append(say("not judged: {checks} ({reason})", checks=checks, reason=reason))
    if grade.late is not None and grade.late.deduction:
        lines.append(one_line(grade.late.note))
    return lines


def _trouble(result: CheckResult, hints: Hints) -> str:
    findings = in_order(f for f in result.findings if f.kind not in HIDDEN[hints])
    fault = next((f for f in findings if tone(f, findings) == "fault"), None)
    if fault is None or hints == "none":
        return f"{result.id}: {one_line(result.message)}"
    place = "" if fault.place is None else f"{_where(fault.place)}: "
    return f"{result.id}: {place}{one_line(fault.message)}"


def _unjudged(grade: Grade) -> list[GradedCheck]:
    return [c for c in grade.checks if c.result.outcome == "not_judged" and c.max_score > 0]


def _totals(grades: Collection[Grade]) -> str:
    graded = [(grade.score, bool(_unjudged(grade))) for grade in grades if is_graded(grade)]
    parts = [say("graded {graded} of {total}", graded=len(graded), total=len(grades))]
    if graded:
        scores = [score for score, _ in graded]
        parts.append(say("mean {score}", score=two_decimals(math.fsum(scores) / len(scores))))
        parts.append(say("median {score}", score=two_decimals(statistics.median(scores))))
    unreached = sum(grade.status == "not_reached" for grade in grades)
    unjudged = len(grades) - len(graded) - unreached
    if unjudged:
        parts.append(say("not judged: {number}", number=unjudged))
    if unreached:
        parts.append(say("not reached: {number}", number=unreached))
    partly = sum(unjudged for _, unjudged in graded)
    if partly:
        parts.append(say("judged in part: {number}", number=partly))
    return ", ".join(parts)


def _score(grade: Grade) -> str:
    # A zero would read as the student's.
    score = two_decimals(grade.score) if is_graded(grade) else "-"
    return f"{score}/{two_decimals(grade.max_score)}"


def two_decimals(value: float) -> str:
    """At most two decimals, and none that are zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# -- one finding --------------------------------------------------------------------------------


def _finding(finding: Finding, hints: Hints, told: bool, again: bool) -> list[str]:
    """`told`: its message has been shown already; `again`: its place has."""
    placed = finding.place is not None and hints != "none"
    lines = _source(finding.place) if placed and not again and finding.place is not None else []
    if not told:
        first, *rest = visible(finding.message).split("\n")
        if finding.level == "note" and finding.kind not in ORIGINS:
            first = say("note: {message}", message=first)
        lines += wrapped(first, "    " if placed else "  ")
        for line in rest:
            lines += wrapped(line, "    ")
    if finding.hint and hints != "none":
        lines += wrapped(say("hint: {hint}", hint=one_line(finding.hint)), "    ")
    return lines


def wrapped(text: str, indent: str, width: int = WRAP) -> list[str]:
    """Lines of at most `width` columns. Lines after the first are indented two more."""
    lines = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )
    # textwrap counts characters; wide letters take two columns
    return [fitted(line, width) for line in lines] or [indent.rstrip()]


def _source(place: Place) -> list[str]:
    """The line of a place, without its indentation, and a caret under the column."""
    head = f"  {_where(place)}: "
    source = place.source.rstrip()
    indent = len(source) - len(source.lstrip())
    column = (place.column or 0) - 1
    start = indent
    # Of a very long line, show what is around the column.
    if column - indent > SOURCE_SHOWN // 2 and len(source) - indent > SOURCE_SHOWN:
        start = column - SOURCE_SHOWN // 2
    if not source[start:]:
        return [head.rstrip(" :")]
    left = "…" if start > indent else ""
    shown = fitted(left + _flat(source[start:]), SOURCE_SHOWN)
    if not start <= column < len(source):
        return [head + shown]
    before = _width(head + left + _flat(source[start:column]))
    return [head + shown, " " * before + "^"]


def _where(place: Place) -> str:
    return place_label(place.line, place.cell, place.execution_count)


# -- columns ------------------------------------------------------------------------------------


def _flat(text: str) -> str:
    return visible(text).replace("\n", " ").replace("\t", "    ")


def label(text: str, width: int) -> str:
    """A name or path in a line, in at most `width` columns: the end of it."""
    return fitted_path(one_line(text), width)


def _width(text: str) -> int:
    """Columns that `text` takes; letters of Chinese take two, combining marks none."""
    width: int = wcswidth(text)
    return len(text) if width < 0 else width


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _head(text: str, width: int) -> str:
    """The longest beginning of `text` that is at most `width` columns wide."""
    text = text[: 4 * max(0, width)]
    while text and _width(text) > width:
        text = text[:-1]
    return text


def _tail(text: str, width: int) -> str:
    text = text[-4 * width :] if width > 0 else ""
    while text and _width(text) > width:
        text = text[1:]
    return text


def fitted(text: str, width: int) -> str:
    """`text` in at most `width` columns, cut at the end."""
    text = text.replace("\t", "    ")
    return text if _width(text) <= width else _head(text, width - 1) + "…"


def fitted_path(text: str, width: int) -> str:
    """`text` in at most `width` columns, cut at the beginning: of a path, the end tells."""
    text = text.replace("\t", " ")
    return text if _width(text) <= width else "…" + _tail(text, width - 1)
