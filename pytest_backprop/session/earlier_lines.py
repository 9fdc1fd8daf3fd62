"""What a run tells of grades that earlier runs worked out: of the journal, the reports."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ..messages import say, say_count
from ..resume.journal import Journal

Line = tuple[str, dict[str, bool]]
"""A text, and how the terminal shows it."""


def earlier_lines(
    journal: Journal | None, taken: int, left: int, kept: Collection[str]
) -> Iterator[Line]:
    """`taken` is how many grades came from the journal, `left` how many were not reached, `kept` has the
    submissions that the reports have besides those of this run."""
    if kept:
        text = say_count(
            "{count} more grade stays in the reports as it was",
            "{count} more grades stay in the reports as they were",
            len(kept),
        )
        yield text, {}
    if journal is not None:
        yield from _journal_lines(journal, taken, left)


def _journal_lines(journal: Journal, taken: int, left: int) -> Iterator[Line]:
    place = nearby(journal.path)
    if journal.damaged:
        text = say_count(
            "{count} line of the journal {journal} was damaged and is left out",
            "{count} lines of the journal {journal} were damaged and are left out",
            journal.damaged,
            journal=place,
        )
        yield text, {"yellow": True}
    if taken:
        text = say_count(
            "{count} grade was taken from the journal {journal}",
            "{count} grades were taken from the journal {journal}",
            taken,
            journal=place,
        )
        yield text, {}
    if left:
        text = say_count(
            "{count} was not graded: the same command with --backprop-resume goes on",
            "{count} were not graded: the same command with --backprop-resume goes on",
            left,
        )
        yield text, {"yellow": True}
    yield say("journal: {journal}", journal=place), {}


def nearby(path: Path) -> str:
    """A path as seen from here, if it is below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
