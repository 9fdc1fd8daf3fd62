"""What was handed in, as plain data."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Layout = Literal["files", "folders", "moodle", "canvas", "gradescope"]


class HandInProblem(Struct, frozen=True):
    """Why something that was handed in cannot be read, as in `SubmissionProblem`."""

    kind: str
    message: str
    way_out: str


class Person(Struct, frozen=True):
    """A student as an LMS names them beside the submission, never as the submission does.

    `id` is Moodle's participant number, Canvas's user id or the sid of Gradescope; `name` is what
    the student's profile says, and identifies nobody."""

    name: str = ""
    id: str = ""
    email: str = ""


class HandIn(Struct, frozen=True):
    """A submission.

    `shown` is how reports and node ids name it, `path` the file to read (empty if there is none),
    `name` the student's own name of it. `place` is the shown path of all that the student handed
    in. `people` are who did: several for a group, none where nobody says. With a `problem` there is
    nothing to read. `others` are files beside it that were not graded. `models` are the `.onnx`
    files handed in with it, as (the student's name, path); None means: those beside `path`.
    `siblings` are files of the student's that the submission imports, as (the name of the module,
    how reports name the file, path).
    `submitted` is the time that an LMS tells, as it writes it, empty if it tells none; `dues` are
    those until which one who handed it in may do so."""

    shown: str
    path: str
    name: str
    place: str
    people: tuple[Person, ...] = ()
    problem: HandInProblem | None = None
    notes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    models: tuple[tuple[str, str], ...] | None = None
    submitted: str = ""
    dues: tuple[str, ...] = ()
    siblings: tuple[tuple[str, str, str], ...] = ()


class Arrival(Struct, frozen=True):
    """One path of the command line: how it was laid out, and how many submissions it has."""

    path: str
    layout: Layout
    submissions: int


class ClassPlan(Struct, frozen=True):
    """What there is to grade: the submissions, by the names that reports have for them.

    `left_out` has files and folders that belong to no graded submission, by shown path, and why.
    `top` is the folder that shown paths are relative to, `folder` the whole path of the folder or
    zip that holds all that the run looks at, `arguments` each of its paths whole. `worksheets` are
    CSV files in which Moodle may say who its numbers are. `checks` are those that were asked for
    alone, by submission: `ann.py::gradient`."""

    handed: dict[str, HandIn] = {}
    left_out: dict[str, str] = {}
    arrivals: tuple[Arrival, ...] = ()
    top: str = ""
    folder: str = ""
    arguments: tuple[str, ...] = ()
    worksheets: tuple[str, ...] = ()
    checks: dict[str, tuple[str, ...]] = {}
