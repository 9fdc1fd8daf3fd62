"""What a submission is: its text, and stretches and places in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Unit(Struct, frozen=True):
    """One piece of Python text: a whole `.py` file, or one code cell of a notebook.

    `cell` counts *all* cells of the notebook from 1, as editors show it; None for a `.py` file.
    `text` is Python: magics and shell lines are already rewritten, line for line.
    `original` is the text as the student sees it, with the same number of lines. `execution_count`
    is the number that Jupyter shows beside the cell, `In [n]`; None if it was not run.
    """

    text: str
    cell: int | None = None
    original: str = ""
    execution_count: int | None = None


class Submission(Struct, frozen=True):
    """A submission's text. `path` is what reports print, relative where that is possible."""

    path: str
    kind: Literal["py", "ipynb"]
    units: tuple[Unit, ...]


class Span(Struct, frozen=True, array_like=True, gc=False):
    """A stretch of a submission: lines from 1, columns in UTF-8 bytes from 0, as `ast` counts.

    `unit` indexes `Submission.units`.
    """

    unit: int
    line: int
    column: int
    end_line: int
    end_column: int


class Place(Struct, frozen=True):
    """Where a finding points, in the reader's own counting: cell, line and column from 1.

    `execution_count` is the cell's `In [n]`. `source` is that line of the submission, as written,
    without its line break.
    """

    path: str
    line: int
    column: int | None = None
    cell: int | None = None
    source: str = ""
    execution_count: int | None = None
