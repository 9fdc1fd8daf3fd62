"""What a submission is: its text, and stretches and places in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

PACKAGE_FILE = "__init__.py"


class Unit(Struct, frozen=True):
    """One piece of Python text: a whole `.py` file, or one code cell of a notebook.

    `cell` counts *all* cells of the notebook from 1, as editors show it; None for a `.py` file.
    `text` is Python: magics and shell lines are already rewritten, line for line.
    `original` is the text as the student sees it, with the same number of lines. `execution_count`
    is the number that Jupyter shows beside the cell, `In [n]`; None if it was not run.

    What stands in another file than the one that is graded has the name of its `module`, by which
    code imports it, and a `path` of its own. `course`: it is the course's, and not the student's.
    `live`: it is of a kernel that is there, in which what was bound last counts. `rows` are the
    lines of the notebook's file on which those of the cell stand, where that is known."""

    text: str
    cell: int | None = None
    original: str = ""
    execution_count: int | None = None
    module: str = ""
    path: str = ""
    course: bool = False
    live: bool = False
    rows: tuple[int, ...] = ()

    @property
    def is_package(self) -> bool:
        """Whether it is what runs where a package is imported."""
        return self.path.endswith(PACKAGE_FILE)

    @property
    def package(self) -> str:
        """The package that its relative imports start from."""
        return self.module if self.is_package else self.module.rpartition(".")[0]

    @property
    def file(self) -> str:
        """How a place names the file, `layers/linear.py`; nothing for the one that is graded."""
        folder = self.module.replace(".", "/")
        return folder and (f"{folder}/{PACKAGE_FILE}" if self.is_package else f"{folder}.py")


class Submission(Struct, frozen=True):
    """A submission's text. `path` is what reports print, relative where that is possible. Units of
    other files stand behind those of the file that is graded. `support` are the course's files,
    which its code may import. `class_name` is the class or function that is graded, where whoever
    hands it in says which."""

    path: str
    kind: Literal["py", "ipynb"]
    units: tuple[Unit, ...]
    support: tuple[Unit, ...] = ()
    class_name: str | None = None


class Span(Struct, frozen=True, array_like=True, gc=False):
    """A stretch of a submission: lines from 1, columns in UTF-8 bytes from 0, as `ast` counts.

    `unit` indexes `Submission.units`."""

    unit: int
    line: int
    column: int
    end_line: int
    end_column: int


class Place(Struct, frozen=True):
    """Where a finding points, in the reader's own counting: cell, line and column from 1.

    `execution_count` is the cell's `In [n]`. `source` is that line of the submission, as written,
    without its line break. `file` is the name of the student's file that it is in, where that is
    not the one that is graded. `row` is the line of the notebook's file that the cell's line stands
    on."""

    path: str
    line: int
    column: int | None = None
    cell: int | None = None
    source: str = ""
    execution_count: int | None = None
    file: str | None = None
    row: int | None = None
