"""What became of grades that there were before, as the terminal tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..messages import say, say_count
from ..model import Grade
from .entries import is_graded
from .terminal import fitted_path, two_decimals, wrapped
from .text import one_line

REGRADES_SHOWN = 20
"""Scores that changed, one by one."""


class Regrade(NamedTuple):
    """A score before and after, and why, each reason a sentence."""

    path: str
    before: str
    after: str
    reasons: tuple[str, ...]


def regrade_lines(regrades: Sequence[Regrade], width: int) -> list[str]:
    """What became of grades that there were before, by what brought the change: scores that
    changed one by one, REGRADES_SHOWN at most, the others counted."""
    groups: dict[tuple[str, ...], list[Regrade]] = {}
    for told in sorted(regrades, key=lambda told: told.path):
        groups.setdefault(told.reasons, []).append(told)
    lines: list[str] = []
    room = REGRADES_SHOWN
    for reasons, group in sorted(groups.items(), key=lambda item: not any(map(_moved, item[1]))):
        why = "; ".join(reasons)
        if len(group) == 1:
            lines += wrapped(say("regraded {what}, because {why}", what=_step(group[0]), why=why), "",
                           width)  # fmt: skip
            continue
        lines += wrapped(say("regraded because {why}:", why=why), "", width)
        moved = [told for told in group if _moved(told)]
        lines += [fitted_path(f"    {_step(told)}", width) for told in moved[:room]]
        if len(moved) > room:
            left = len(moved) - room
            lines.append("    " + say_count("and {count} more", "and {count} more", left))
        room = max(0, room - len(moved))
        if len(moved) < len(group):
            kept = len(group) - len(moved)
            text = say_count(
                "{count} has the score it had", "{count} have the score they had", kept
            )
            lines.append("    " + text)
    return lines


def _moved(told: Regrade) -> bool:
    return told.before != told.after


def _step(told: Regrade) -> str:
    path = one_line(told.path)
    if _moved(told):
        return say("{path}: {old} -> {new}", path=path, old=told.before, new=told.after)
    return say("{path}: {score} as before", path=path, score=told.after)


def regraded_score(grade: Grade) -> str:
    """The points of a grade, as what became of it is told."""
    return two_decimals(grade.score) if is_graded(grade) else say("not judged")
