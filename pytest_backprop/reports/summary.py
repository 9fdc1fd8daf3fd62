"""What the terminal shows of a run: a table of grades; of a class, its commonest faults and what to
look at; and what became of grades that there were before."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..messages import say, say_count
from ..model import NO_GRADE, Grade, GradedCheck
from .entries import is_graded
from .feedback import Hints, first_fault, more, where
from .terminal import (
    GAP,
    Line,
    fitted,
    label,
    shown_check,
    table_row,
    width_of,
    wrapped,
)
from .text import decimal, one_line, status_label, variant_label

MANY = 10
"""Submissions of which each is told in full; of more, the class is."""
COMMONEST, LOOKED_AT = 8, 12
"""Lines of faults, and of submissions to look at."""
REGRADES_SHOWN = 20
"""Scores that changed, one by one."""
NAME = 24
"""Columns of a student's name, and of a variant, in the table."""


# -- the table ------------------------------------------------------------------------------------


def summary_lines(
    grades: Collection[Grade], width: int, hints: Hints = "line", *, explained: bool = True
) -> list[Line]:
    """The table of grades for a terminal `width` columns wide: (text, markup) a line.

    Path, variant and score, and, if `explained`, another line of what is wrong first.
    """
    if not grades:
        return []
    ordered = sorted(grades, key=lambda grade: grade.path)
    columns = {
        say("variant"): [
            label(variant_label(grade.variant, grade.variant_source), NAME) for grade in ordered
        ],
        say("score"): [
            f"{decimal(grade.score, 2) if is_graded(grade) else '-'}/{decimal(grade.max_score, 2)}"
            for grade in ordered
        ],
    }
    if any(grade.student for grade in ordered):
        names = [fitted(one_line(grade.student or "-"), NAME) for grade in ordered]
        columns = {say("student"): names, **columns}
    widths = [max(width_of(head), *map(width_of, cells)) for head, cells in columns.items()]
    of_paths = max(10, width - sum(widths) - len(GAP) * len(widths))
    widths = [of_paths, *widths]
    lines: list[Line] = [(table_row((say("submission"), *columns), widths), {"bold": True})]
    for grade, *cells in zip(ordered, *columns.values(), strict=True):
        lines.append((table_row((label(grade.path, of_paths), *cells), widths), _markup(grade)))
        if explained:
            texts = _troubles(grade, hints)
            if grade.late is not None and grade.late.deduction:
                texts.append(one_line(grade.late.note))
            lines += [(text, {}) for text in _below(texts, grade, width)]
    totals = wrapped(_totals(grades), "", width)
    return [*lines, ("", {}), *((line, {"bold": True}) for line in totals)]


def _below(texts: Sequence[str], grade: Grade, width: int) -> list[str]:
    """`texts` below a row of the table, each cut to a line. What was not judged before whoever
    grades has done something is shown whole: they have nowhere else to read what."""
    if grade.status == "not_judged":
        return [line for text in texts for line in wrapped(text, "    ", width)]
    return [fitted(f"    {text}", width) for text in texts]


def _markup(grade: Grade) -> dict[str, bool]:
    if not is_graded(grade) or _unjudged(grade):
        return {"yellow": True}
    if grade.score >= grade.max_score:
        return {"green": True}
    return {"yellow" if grade.score > 0 else "red": True}


def _troubles(grade: Grade, hints: Hints) -> list[str]:
    """One line on what is wrong, and one on what was not judged."""
    if grade.status != "graded":
        words = status_label(grade.status)
        return [f"{words}: {one_line(grade.message)}" if grade.message else words]
    lines = []
    if (first := first_fault([shown_check(check, hints) for check in grade.checks])) is not None:
        check, fault = first
        if fault is None or hints == "none":
            lines.append(f"{check.id}: {check.message}")
        else:
            place = f"{where(fault)}: " if where(fault) else ""
            lines.append(f"{check.id}: {place}{one_line(fault.message)}")
    if unjudged := _unjudged(grade):
        result = unjudged[0].result
        checks = ", ".join(check.result.id for check in unjudged)
        reason = one_line(str(result.details.get("reason", result.message)))
        lines.append(say("not judged: {checks} ({reason})", checks=checks, reason=reason))
    return lines


def _unjudged(grade: Grade) -> list[GradedCheck]:
    return [c for c in grade.checks if c.result.outcome == "not_judged" and c.max_score > 0]


def _totals(grades: Collection[Grade]) -> str:
    graded = [grade for grade in grades if is_graded(grade)]
    parts = [say("graded {graded} of {total}", graded=len(graded), total=len(grades))]
    if graded:
        scores = [grade.score for grade in graded]
        parts.append(say("mean {score}", score=decimal(math.fsum(scores) / len(scores), 2)))
        parts.append(say("median {score}", score=decimal(statistics.median(scores), 2)))
    unreached = sum(grade.status == "not_reached" for grade in grades)
    if unjudged := len(grades) - len(graded) - unreached:
        parts.append(say("not judged: {number}", number=unjudged))
    if unreached:
        parts.append(say("not reached: {number}", number=unreached))
    if partly := sum(bool(_unjudged(grade)) for grade in graded):
        parts.append(say("judged in part: {number}", number=partly))
    return ", ".join(parts)


# -- a class --------------------------------------------------------------------------------------


def class_lines(grades: Collection[Grade], width: int, hints: Hints = "line") -> list[Line]:
    """The summary of a class for a terminal `width` columns wide: (text, markup) a line."""
    lines = summary_lines(grades, width, hints, explained=False)
    for title, texts in (
        (say("commonest faults"), _commonest(grades, width)),
        (say("to look at"), _to_look_at(grades, width, hints)),
    ):
        if texts:
            lines += [("", {}), (title, {"bold": True}), *((text, {}) for text in texts)]
    return [*lines, ("", {}), (say("why each check failed: with -v, or for one file"), {})]


def _commonest(grades: Collection[Grade], width: int) -> list[str]:
    """Kinds of faults by the number of submissions that have them, with one of these."""
    having: dict[tuple[str, str], dict[str, None]] = {}
    for grade in grades:
        for check in grade.checks if grade.status == "graded" else ():
            for finding in check.result.findings:
                if finding.level == "fault":
                    having.setdefault((check.result.id, finding.kind), {})[grade.path] = None
    ordered = sorted(having.items(), key=lambda item: (-len(item[1]), item[0]))
    texts = [
        say_count(
            "{count} submission: {check}, {kind}, as in {path}",
            "{count} submissions: {check}, {kind}, as in {path}",
            len(paths),
            check=check,
            kind=kind,
            path=label(next(iter(paths)), 40),
        )
        for (check, kind), paths in ordered[:COMMONEST]
    ]
    return [fitted(f"    {text}", width) for text in texts]


def _to_look_at(grades: Collection[Grade], width: int, hints: Hints) -> list[str]:
    """What no grader can settle: not judged, not manual, not read, a task of its own."""
    having: dict[tuple[int, str, str], list[Grade]] = {}
    for grade in sorted(grades, key=lambda grade: grade.path):
        unjudged = bool(_unjudged(grade))
        rank = 0 if unjudged else 1 if grade.status != "graded" else 2
        breach = any(
            c.result.id == "integrity" and c.result.outcome in ("failed", "partial")
            for c in grade.checks
        )
        if grade.status != "not_reached" and (rank < 2 or breach):
            text = _troubles(grade, hints)[-1 if unjudged else 0]
            # what kept many from being judged is one thing to mend
            whose = "" if grade.status in NO_GRADE else grade.path
            having.setdefault((rank, text, whose), []).append(grade)
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


def regraded_score(grade: Grade) -> str:
    """The points of a grade, as a regrade tells them."""
    return decimal(grade.score, 2) if is_graded(grade) else say("not judged")


def regrade_lines(regrades: Sequence[Regrade], width: int) -> list[str]:
    """What became of grades that there were before, by what brought the change: scores that
    changed one by one, REGRADES_SHOWN at most, the others counted."""
    groups: dict[tuple[str, ...], list[Regrade]] = {}
    for regrade in sorted(regrades, key=lambda regrade: regrade.path):
        groups.setdefault(regrade.reasons, []).append(regrade)
    changes = {
        reasons: [r for r in group if r.before != r.after] for reasons, group in groups.items()
    }
    lines: list[str] = []
    room = REGRADES_SHOWN
    for reasons, group in sorted(groups.items(), key=lambda item: not changes[item[0]]):
        why = "; ".join(reasons)
        if len(group) == 1:
            text = say("regraded {what}, because {why}", what=_step(group[0]), why=why)
            lines += wrapped(text, "", width)
            continue
        lines += wrapped(say("regraded because {why}:", why=why), "", width)
        changed = changes[reasons]
        lines += [
            fitted(f"    {_step(regrade)}", width, keep_end=True) for regrade in changed[:room]
        ]
        if len(changed) > room:
            lines.append("    " + more(len(changed) - room))
        room = max(0, room - len(changed))
        if same := len(group) - len(changed):
            text = say_count(
                "{count} has the score it had", "{count} have the score they had", same
            )
            lines.append(f"    {text}")
    return lines


def _step(regrade: Regrade) -> str:
    path = one_line(regrade.path)
    if regrade.before != regrade.after:
        return say("{path}: {old} -> {new}", path=path, old=regrade.before, new=regrade.after)
    return say("{path}: {score} as before", path=path, score=regrade.after)
