"""A class on the terminal: a page, and no flood. The table, the commonest faults, and what a person
should look at; why each check failed is told with `-v`, or for one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from ..messages import say, say_count
from ..model import NO_GRADE, Grade
from .terminal import Hints, Line, fitted, fitted_path, summary_lines, told_below, troubles
from .text import one_line

MANY = 10
"""Submissions of which each is told in full; of more, the class is."""
COMMONEST, LOOKED_AT = 8, 12
"""Lines of faults, and of submissions to look at."""
_FAULTS = ("failed", "partial")


def class_lines(grades: Collection[Grade], width: int, hints: Hints = "line") -> list[Line]:
    """The summary of a class for a terminal `width` columns wide: (text, markup) a line."""
    lines = summary_lines(grades, width, hints, told=False)
    common = [fitted(f"    {text}", width) for text in _commonest(grades)]
    for title, told in (
        (say("commonest faults"), common),
        (say("to look at"), _to_look_at(grades, width, hints)),
    ):
        if told:
            lines += [("", {}), (title, {"bold": True}), *((text, {}) for text in told)]
    return [*lines, ("", {}), (say("why each check failed: with -v, or for one file"), {})]


def _commonest(grades: Collection[Grade]) -> list[str]:
    """Kinds of faults by the number of submissions that have them, with one of these."""
    found: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for grade in grades:
        met: set[tuple[str, str]] = set()
        for check in grade.checks if grade.status == "graded" else ():
            for finding in check.result.findings:
                if finding.level == "fault":
                    met.add((check.result.id, finding.kind))
        found.update(met)
        for key in met:
            first.setdefault(key, grade.path)
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [
        say_count(
            "{count} submission: {check}, {kind}, as in {path}",
            "{count} submissions: {check}, {kind}, as in {path}",
            count,
            check=check,
            kind=kind,
            path=fitted_path(one_line(first[check, kind]), 40),
        )
        for (check, kind), count in ordered[:COMMONEST]
    ]


def _to_look_at(grades: Collection[Grade], width: int, hints: Hints) -> list[str]:
    """What no grader can settle: not judged, not manual, not read, a task of its own."""
    having: dict[tuple[int, str, str], list[Grade]] = {}
    for grade in sorted(grades, key=lambda grade: grade.path):
        for rank, text in _reasons(grade, hints):
            # what kept many from being judged is one thing to mend
            whose = "" if grade.status in NO_GRADE else grade.path
            having.setdefault((rank, text, whose), []).append(grade)
    told = sorted(having.items(), key=lambda item: (item[0][0], item[1][0].path))
    lines = []
    for (_, text, _), (first, *others) in told[:LOOKED_AT]:
        path = fitted_path(one_line(first.path), width // 3)
        if others:
            path += f" ({_more(len(others))})"
        lines += told_below([f"{path}: {text}"], first, width)
    left = sum(len(same) for _, same in told[LOOKED_AT:])
    return [*lines, f"    … {_more(left)}"] if left else lines


def _more(count: int) -> str:
    return say_count("and {count} more", "and {count} more", count)


def _reasons(grade: Grade, hints: Hints) -> Iterator[tuple[int, str]]:
    if grade.status == "not_reached":
        return
    unjudged = any(c.result.outcome == "not_judged" and c.max_score > 0 for c in grade.checks)
    manual = all(
        c.result.outcome not in _FAULTS for c in grade.checks if c.result.id == "integrity"
    )
    if grade.status != "graded" or unjudged or not manual:
        rank = 0 if unjudged else 3 if grade.status == "graded" else 2
        told = [t for t in troubles(grade, hints) if grade.late is None or t != grade.late.note]
        yield rank, told[-1 if unjudged else 0]
