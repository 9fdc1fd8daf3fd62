"""What pytest's process, Dask's workers and the judges beside them say to each other: msgpack,
schema-checked. Dask pickles nothing but the names of our own functions, with bytes.
"""

from __future__ import annotations

import hashlib
from typing import Any

from msgspec import Struct

from ..grading.brief import Brief
from ..grading.judge.protocol import Graded, JudgeFault, Prepared, Usage
from ..grading.rubric import Rubric
from ..worker.sandbox import is_full

Versions = dict[str, str | None]


class ClusterSetup(Struct, frozen=True):
    """All that the grades of a run depend on, but for the submissions. `plan` has the values of a
    `GradingPlan`, `bank` the files of the folder of tasks, which is called `folder`. A worker's `versions`
    must be these; with `required`, its sandbox must be whole."""

    plan: dict[str, Any]
    kind: str
    lang: str
    rubric: Rubric
    folder: str
    bank: dict[str, bytes]
    required: bool
    versions: Versions


def digest_of(setup: bytes) -> str:
    """What names a setup as it travels."""
    return hashlib.sha256(setup).hexdigest()[:16]


# -- to a judge's host ----------------------------------------------------------------------------


class PrepareVariant(Struct, frozen=True, tag="variant"):
    """Make a variant ready, before anything is graded."""

    name: str


class Task(Struct, frozen=True, tag="task"):
    """Grade a submission: the file's name and that of its folder, as the file system has them, and its
    bytes."""

    name: bytes
    folder: bytes
    content: bytes
    brief: Brief


HostRequest = PrepareVariant | Task


# -- from a judge's host --------------------------------------------------------------------------


class Enrolled(Struct, frozen=True, tag="enrolled"):
    """It can grade: with what versions, and in what sandbox."""

    versions: Versions
    sandbox: str


Answer = Enrolled | Prepared | Graded | Usage | JudgeFault


class Enrolment(Struct, frozen=True):
    """A worker's answer to `enrol`: who it is, and what its judge said first."""

    address: str
    threads: int
    answer: Answer


def fits(answer: Answer, setup: ClusterSetup, sandbox: str) -> bool:
    """Whether a worker with this answer may grade. `sandbox` is the level it must reach; empty for any."""
    return (
        isinstance(answer, Enrolled)
        and answer.versions == setup.versions
        and sandbox in ("", answer.sandbox)
        and (not setup.required or is_full(answer.sandbox))
    )
