"""Grades that were there before: what became of them, and why."""

from __future__ import annotations

from ..messages import say
from ..model import Grade
from ..reports.terminal import Regrade
from .fingerprint import reasons
from .journal import Entry, Key


def compared(before: Entry, key: Key, grade: Grade) -> list[Regrade]:
    """What to tell of a submission that was graded again: nothing if all came out the same."""
    changed = reasons(before.key, key)
    if changed:
        return [(before.grade, grade, changed)]
    if _verdict(before.grade) == _verdict(grade):
        return []
    if before.grade.status == "grader_error":
        return [(before.grade, grade, (say("it was not judged before"),))]
    return [(before.grade, grade, (say("nothing that it depends on changed"),))]


def _verdict(grade: Grade) -> tuple[object, ...]:
    """The grade without its words: figures of time and memory in them vary."""
    checks = tuple((c.result.id, c.result.outcome, c.score, c.max_score) for c in grade.checks)
    return grade.status, grade.variant, checks
