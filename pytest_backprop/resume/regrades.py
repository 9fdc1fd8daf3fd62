"""Grades that were there before: what became of them, and why."""

from __future__ import annotations

from ..messages import say
from ..model import NO_GRADE, Grade
from ..reports.regrades import Regrade, regraded_score
from .fingerprint import reasons
from .journal import Entry, Key


def compared(before: Entry, key: Key, grade: Grade) -> list[Regrade]:
    """What to tell of a submission that was graded again: nothing if all came out the same."""
    why = tuple(reasons(before.key, key))
    if not why:
        if _verdict(before.grade) == _verdict(grade):
            return []
        if before.grade.status in NO_GRADE:
            why = (say("it was not judged before"),)
        else:
            why = (say("nothing that it depends on changed"),)
    return [Regrade(grade.path, regraded_score(before.grade), regraded_score(grade), why)]


def _verdict(grade: Grade) -> tuple[object, ...]:
    """The grade without its words: figures of time and memory in them vary."""
    checks = tuple((c.result.id, c.result.outcome, c.score, c.max_score) for c in grade.checks)
    return grade.status, grade.variant, checks
