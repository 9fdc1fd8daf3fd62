"""What pytest's process, the judge's zygote and a judge say to each other: length-prefixed msgpack,
schema-checked. Never pickle.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...classroom import HandIn
from ...classroom.roster import Roster
from ..brief import Brief
from ..rubric import Rubric

MEMORY = 600 * 2**20
"""Bytes that judging one submission may take above what an idle judge has. The kernel refuses more."""
WATCHED_MEMORY = 450 * 2**20
"""Bytes at which a judge is stopped from outside: what it takes between two looks stays under MEMORY."""
MAX_MESSAGE = 256 * 2**20

EXIT_MEMORY = 71
"""Exit status of a judge that the kernel refused memory."""


# -- to a clean zygote ----------------------------------------------------------------------------


class Setup(Struct, frozen=True):
    """All that a `Grader` is built with, but what plugins add. `plan` has the values of a `GradingPlan`.

    `kind` is the name of the exercise, `bank` the folder of its tasks, `exports` that of exports. `environment` has pytest's variables,
    `level` the sandbox that children reach.
    """

    plan: dict[str, Any]
    kind: str
    bank: str
    rubric: Rubric
    roster: Roster | None
    handed: dict[str, HandIn]
    exports: str | None
    language: str
    environment: dict[bytes, bytes]
    level: str = ""


# -- to the zygote: one byte each -----------------------------------------------------------------

FORK = b"f"
"""Comes with one descriptor, the socket that the new judge serves."""
KILL = b"k"
BRANCH = b"b"
"""Comes with one descriptor, the socket through which another zygote of judges, forked from this one, is
commanded."""


class Branched(Struct, frozen=True, tag="branched"):
    """From a zygote that was forked from another: it is there."""

    pid: int


class JudgeEnded(Struct, frozen=True, tag="ended"):
    """From the zygote: the judge is gone, with all that it started. `status` as `os.waitpid` gives
    it."""

    status: int


# -- to a judge -----------------------------------------------------------------------------------


class Prepare(Struct, frozen=True, tag="prepare"):
    """Make ready the variants of these submissions: paths as the file system has them, and names. With a
    `brief` this is all that there is of the class."""

    submissions: tuple[tuple[bytes, str], ...]
    brief: Brief | None = None


class Ask(Struct, frozen=True, tag="ask"):
    """Grade a submission."""

    path: bytes
    shown: str


Request = Prepare | Ask


# -- from a judge ---------------------------------------------------------------------------------


class Ready(Struct, frozen=True, tag="ready"):
    """It can grade. `sandbox` is the level that children reach."""

    pid: int
    sandbox: str


class Prepared(Struct, frozen=True, tag="prepared"):
    """The variants are ready."""


class Graded(Struct, frozen=True, tag="graded"):
    """The grade, as JSON: what plugins put into details need not be of types that msgpack has."""

    grade: bytes


class Usage(Struct, frozen=True, tag="usage"):
    """A UsageProblem, to be raised in pytest's process."""

    message: str
    way_out: str


class JudgeFault(Struct, frozen=True, tag="fault"):
    """A GraderFault, to be raised in pytest's process."""

    message: str


Event = Ready | Prepared | Graded | Usage | JudgeFault
