"""What the grader says of a submission: findings, checks, a grade."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .drawing import Drawing
from .submission import Place

Outcome = Literal["passed", "partial", "failed", "not_judged"]
Basis = Literal["replayed", "observed"]
Status = Literal[
    "graded",
    "unreadable",
    "timeout",
    "out_of_memory",
    "crashed",
    "grader_error",
    "not_judged",
    "not_reached",
]
"""How grading ended. `grader_error`: a fault of ours; `not_judged`: whoever grades has to say
something first, such as which variant it is; `not_reached`: the run ended before it."""
NO_GRADE: tuple[Status, ...] = ("grader_error", "not_judged", "not_reached")
"""Those of which no check was judged, through no fault of the student's."""
VariantSource = Literal["roster", "option", "name", "submission"]
"""Where the variant was read."""

CHECK_IDS = tuple(
    "forward manual-forward gradient threshold needs-input-grad none parameters zeroing scaling "
    "unused-nodes release saved files double-backward second-order integrity onnx".split()
)
"""Every check there is, in the order in which reports list them."""

NUMBERS = frozenset({"wrong-value", "wrong-gradient"})
"""Kinds of findings that tell the numbers, at the line at which they are finished."""
OTHER_TASK = "other-task"
"""The kind of the finding of a method that is right for another task."""
LEADS = (OTHER_TASK, "faulty-line")
"""Kinds that say what is wrong with a number."""
OTHER_LINE = "possible-line"
"""The kind of the finding of another line at which a change makes everything right, too."""
LINES = ("faulty-line", OTHER_LINE)
"""Kinds that are not shown where hints are not given."""
ORIGINS = (*LEADS, *LINES)
"""Kinds that say where a wrong number comes from."""

COURSE_KIND = "forward-backward"
"""The kind of exercise that the course gives."""

PLUGGED_NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""What a plugin may call a check, a report format and a kind of exercise."""


class Finding(Struct, frozen=True):
    """One thing to tell the student. `level` `fault` costs points, `note` does not.

    `kind` is a stable id (`late-release`, `unused-node`, ...), `name` the student's own name of
    the value, `hint` what to do."""

    kind: str
    message: str
    level: Literal["fault", "note"] = "fault"
    place: Place | None = None
    name: str | None = None
    hint: str | None = None


def in_order(findings: Iterable[Any]) -> list[Any]:
    """Where it goes wrong, then the faults, then what costs nothing; each as they were."""
    return sorted(findings, key=lambda f: 0 if f.kind in ORIGINS else 1 + (f.level != "fault"))


class CheckResult(Struct, frozen=True):
    """A check's verdict: `fraction` in [0, 1] of its points, one line of message, findings.

    `left_out` counts the findings beyond those that a grade keeps."""

    id: str
    outcome: Outcome
    fraction: float
    message: str
    basis: Basis
    findings: tuple[Finding, ...] = ()
    details: dict[str, Any] = {}
    left_out: int = 0


Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
"""When a student may see a check, in Gradescope's words."""
Credit = Literal["all-or-nothing", "share", "per-finding"]
Amount = Annotated[float, Meta(ge=0, le=1_000_000)]
"""Points, or minutes: no course has more, and sums of them are far from overflow."""
Share = Annotated[float, Meta(gt=0, le=1)]


class CheckRules(Struct, frozen=True, forbid_unknown_fields=True):
    """How one check is scored; the rubric's entry for it.

    `points`: what it is worth. `credit`: `all-or-nothing`; `share`, the share that is right; or
    `per-finding`, which takes `penalty` (of 1) off for each fault. `follow_through`: what gradients
    that are right of a wrong value earn, of what they would earn if that were right. `visibility`:
    when students see the check."""

    points: Amount
    credit: Credit = "all-or-nothing"
    penalty: Share = 0.1
    follow_through: Annotated[float, Meta(ge=0, le=1)] = 0.0
    visibility: Visibility = "visible"


class LateRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What being late costs; the rubric's table `[late]`.

    `due` is the time that is still in time, `grace` minutes after it that cost nothing. Each day
    begun costs `penalty`, a share of the points that were earned, but for the first `free_days`;
    all days together cost `cap` at most."""

    due: Annotated[datetime, Meta(tz=True)]
    penalty: Share
    grace: Amount = 0.0
    free_days: Annotated[int, Meta(ge=0, le=10_000)] = 0
    cap: Share = 1.0


class Lateness(Struct, frozen=True):
    """When a submission was handed in, and what that costs.

    `submitted` and `due` are ISO 8601 with an offset; without `submitted` nobody knows when,
    `problem` says why, and nothing is taken off. `days` are those begun after `due`, `free_days`
    how many of them cost nothing, `share` what is taken off, of the points earned, and `deduction`
    that in points."""

    due: str
    submitted: str | None
    days: int = 0
    free_days: int = 0
    share: float = 0.0
    deduction: float = 0.0
    problem: str | None = None


class GradedCheck(Struct, frozen=True):
    """A check's verdict and what it earned."""

    result: CheckResult
    score: float
    max_score: float
    visibility: Visibility = "visible"


class GroupMember(Struct, frozen=True):
    """One of the students of a group, as the roster has them."""

    student: str
    student_id: str | None = None
    email: str | None = None


class Trait(Struct, frozen=True, array_like=True):
    """One value that a pass calculates, renaming and layout aside. `line` counts in `cell`, or in
    the file.

    The other four are hashes of 32 bits: `value` of what is calculated, as a function of weights
    and inputs; `way` of the op and the operands that it is calculated with; `order` of the value
    that came before it; `drop` of how many ops ran between its last use and its end."""

    cell: int | None
    line: int | None
    value: int
    way: int
    order: int
    drop: int


class PartGrade(Struct, frozen=True):
    """How grading ended of a part of an assignment; `variant` is its task, `traits` are those of
    its pass."""

    name: str
    variant: str | None
    status: Status
    message: str
    score: float
    max_score: float
    traits: tuple[Trait, ...] = ()


class Grade(Struct, frozen=True):
    """One submission's grade. `score` of `max_score`; `seconds` is wall time spent on it.

    `student`, `student_id` and `email` are the roster's, never the submission's; of a group
    `student` has all names, the others are the first one's, and `members` has each. `drawing` is
    there when a report was asked for that draws. `taken_from` says where the grade was, if an
    earlier run worked it out. `traits` are what a pass that was recorded may share with others.
    `late` is there when the rubric says what lateness costs. `parts` are those of an assignment of
    several, whose checks have ids as `linear/gradient`; `variant` is then the student's own, if a
    part has that."""

    path: str
    student: str | None
    variant: str | None
    variant_source: VariantSource | None
    status: Status
    message: str
    checks: tuple[GradedCheck, ...]
    score: float
    max_score: float
    seconds: float
    notes: tuple[str, ...] = ()
    drawing: Drawing | None = None
    student_id: str | None = None
    email: str | None = None
    members: tuple[GroupMember, ...] = ()
    taken_from: Literal["journal"] | None = None
    traits: tuple[Trait, ...] = ()
    late: Lateness | None = None
    parts: tuple[PartGrade, ...] = ()


def part_of(check: str) -> str:
    """The part that a check belongs to, by its id; empty for one of the whole."""
    return check.rpartition("/")[0]


def bare(check: str) -> str:
    """The id of a check without its part."""
    return check.rpartition("/")[2]


def status_of(graded: Any, check: str) -> Status:
    """How grading ended of what a check belongs to: a part of the submission, or all of it."""
    part = part_of(check)
    statuses: Iterable[Status] = (each.status for each in graded.parts if each.name == part)
    return next(iter(statuses), graded.status)
