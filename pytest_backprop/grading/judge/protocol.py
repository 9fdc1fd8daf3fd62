"""What pytest's process, the judges' zygote and a judge say to each other: length-prefixed msgpack,
schema-checked. Never pickle.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field
from msgspec.msgpack import Decoder

from ...messages import language
from ...processes.protocol import Broke, ChildKind, Limits
from ..brief import Brief
from ..rubric import Rubric

MEMORY = 600 * 2**20
"""Bytes that judging one submission may take. The kernel refuses more."""
WATCHED_MEMORY = 450 * 2**20
"""Bytes at which a judge is stopped from outside: what it takes between two looks stays under
MEMORY."""
MAX_GRADE = 256 * 2**20
"""Bytes of the largest grade, with what pages draw."""

PREPARE = b"p"
"""To the zygote: comes with a link, on which the names of variants follow, to be made ready."""


class Setup(Struct, frozen=True):
    """All that a `Grader` is built with, but what plugins add. `plan` has the values of a
    `GradingPlan`, `kind` is the name of the exercise, `bank` the folder of its tasks, as the file
    system has it."""

    plan: dict[str, Any]
    kind: str
    bank: bytes
    rubric: Rubric
    language: str


class Ask(Struct, frozen=True):
    """Grade a submission: its path, as the file system has it, and how reports name it."""

    path: bytes
    shown: str
    brief: Brief
    limits: Limits
    language: str = field(default_factory=language)


class Prepared(Struct, frozen=True, tag="prepared"):
    """The variants are ready."""


class Graded(Struct, frozen=True, tag="graded"):
    """The grade, as JSON: what plugins put into details need not be of types that msgpack has."""

    grade: bytes


class NoMemory(Struct, frozen=True, tag="memory"):
    """The kernel refused memory."""


class Usage(Struct, frozen=True, tag="usage"):
    """A UsageProblem, to be raised in pytest's process."""

    message: str
    way_out: str


JUDGE = ChildKind("grading.judge.start", Decoder(Graded | NoMemory | Usage | Broke))
