"""What every check is given: the evidence, what the grader made of it, and what it should be."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import torch

from ..exercises.adjoint import GRAD_OUTPUT
from ..exercises.base import Exercise, Wording
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import AutogradCost, Expected, has_idle_nodes
from ..exercises.functions.scenarios import Points
from ..messages import say
from ..model import (
    NUMBERS,
    OTHER_TASK,
    VALUE,
    Evidence,
    Finding,
    Leaf,
    Op,
    Place,
    Recording,
    Span,
    Submission,
    Tensor,
    gradient_of,
    gradient_places,
)
from ..submission.parse import lineage
from ..trace.adjoints import idle_ops
from ..trace.graph import DataFlow
from ..trace.lateness import Loops
from ..trace.replay import Replayed
from ..trace.verify import Path, Verified

RESET = "reset"
"""The phase in which all is to be let go that operators of the student's own have kept."""
IDLE_POINTS = 64
"""Points at which a task is asked whether it calculates for nothing itself."""


class Tolerance(NamedTuple):
    """|got - expected| <= atol + rtol * |expected|, in float64."""

    rtol: float
    atol: float


class Method(NamedTuple):
    """One of the two methods.

    `verified` says what its recordings explain. `replayed` has its results on the points of
    `expected`, by the grader's own replay in float64; None where they stay unexplained. The points
    are the grader's, or, where it branches on values, those that the child ran."""

    verified: Verified
    replayed: Replayed | None
    expected: Expected


class Draw(NamedTuple):
    """A task at one of its sizes, and what depends on that alone. A task of scalars has one draw.

    `expected` is what is right at the grader's own points; `child_points` are those that the
    student's code runs on at first, with what is right there in `child_expected`. `cost` is what
    autograd's own run takes."""

    variant: Variant
    expected: Expected
    child_points: Points
    child_expected: Expected
    cost: AutogradCost


class Beside(NamedTuple):
    """A run beside the draws of a task, at a scenario of the exercise's own: what is right
    there, what the child told, the facts in that, and the files that lay in its folder at each of
    the reference's stops."""

    reference: Any
    evidence: Evidence
    facts: Any
    stops: Mapping[str, Sequence[Any]] = MappingProxyType({})

    def gradient(self, name: str) -> Tensor | None:
        """What came back as the gradient of a leaf."""
        return self.evidence.pass_runs[0].tensor(gradient_of(name))

    def told(self, message: str) -> str:
        """A message of what is wrong in this run, with the inputs at which it is."""
        return f"{say(self.reference.where)}: {message}"


class Located(NamedTuple):
    """Where a wrong method goes wrong: what is told, as notes; `details`, all that was found."""

    findings: tuple[Finding, ...] = ()
    details: tuple[dict[str, object], ...] = ()

    def and_numbers(self, faults: Sequence[Finding]) -> tuple[Finding, ...]:
        """What is told of a wrong method: where it goes wrong, then its faults. Of one that is
        right for another task the numbers are left out: they are that one's."""
        other = any(finding.kind == OTHER_TASK for finding in self.findings)
        return (*self.findings, *(f for f in faults if not other or f.kind not in NUMBERS))


@dataclass(frozen=True, kw_only=True)
class ObservedCase:
    """One submission, ready to be judged by what was seen of its runs. `place` turns a span of
    the child's into a place. Where nothing is replayed, `evidence` is that of the first run."""

    evidence: Evidence
    tolerance: Tolerance
    place: Callable[[Span | None], Place | None]
    exercise: Exercise
    submission: Submission | None = None
    """Its text, for checks that look at that."""
    beside: tuple[Beside, ...] = ()

    @property
    def sizes(self) -> str:
        """Those of the task's tensors, where it is judged at several."""
        return ""

    @property
    def wording(self) -> Wording:
        """What findings say in the exercise."""
        return self.exercise.wording

    @property
    def is_void(self) -> bool:
        """Whether there is nothing that a pass could be judged by."""
        return False


@dataclass(frozen=True, kw_only=True)
class Case(ObservedCase):
    """One submission whose methods are replayed; a `PassCase` if its pass left a recording.
    `locate` searches a method that is wrong for the line that is; it takes its time, so ask once
    something is wrong, and only then."""

    draw: Draw
    forward: Method
    manual: Method
    facts: Any = None
    """What an exercise saw beside the runs, of the type that it says."""
    memory: int = 0
    """The most bytes that the child held above its zygote, as they were read from outside."""
    locate: Callable[[Literal["pass", "forward"]], Located] = lambda _: Located()

    @property
    def sizes(self) -> str:
        """Those of the dimensions of the task's tensors."""
        return self.variant.sizes

    @property
    def y(self) -> str:
        """What the value is called: `y`, as the course calls it, or `loss` where y are labels."""
        return "loss" if any(leaf.name == "y" for leaf in self.leaves) else "y"

    @property
    def cost(self) -> AutogradCost:
        """What torch's own run of the task takes."""
        return self.draw.cost

    @property
    def variant(self) -> Variant:
        """The task, at these sizes."""
        return self.draw.variant

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The tensors that weights and inputs are numbers of."""
        return self.variant.leaves

    @property
    def is_void(self) -> bool:
        """Whether the value has a shape of its own, so that no gradient of it can be asked for."""
        value = self.evidence.pass_runs[0].tensor(VALUE) if self.is_vjp else None
        return value is not None and value.shape != self.leaves[-1].shape

    @property
    def is_vjp(self) -> bool:
        """Whether vector-Jacobian products are asked for: the adjoint of the value is given,
        too."""
        return self.leaves[-1].name == GRAD_OUTPUT

    @property
    def needs_all(self) -> bool:
        """Whether gradients are asked for of every tensor of which the task asks for one."""
        return self.variant.needs_all

    @property
    def gradients(self) -> dict[str, range]:
        """What is asked for, by name: of each weight the positions of its numbers."""
        return gradient_places(self.leaves)

    def is_misshapen(self, name: str) -> bool:
        """Whether the gradient of a leaf has another shape than the leaf, in any run."""
        leaf = next((leaf for leaf in self.leaves if leaf.name == name), None)
        runs = [run.tensor(gradient_of(name)) for run in self.evidence.pass_runs]
        return leaf is not None and any(t is not None and t.shape != leaf.shape for t in runs)


@dataclass(frozen=True, kw_only=True)
class PassCase(Case):
    """A submission whose manual pass ran and was recorded. `flow` is the data flow of the
    recording that is judged for nodes and releases, `loops` those of the passes at all sizes.
    `twin` is the case of other sizes at which the same ops run, and which tells what effect they
    have; none where this one tells itself."""

    flow: DataFlow
    loops: Loops
    twin: PassCase | None = None

    @property
    def recording(self) -> Recording:
        """The recording that is judged for nodes and releases."""
        return self.flow.recording

    @property
    def path(self) -> Path | None:
        """The way of the pass that has this recording; None where none is replayed."""
        return next((p for p in self.manual.verified.paths if p.program.flow is self.flow), None)

    @property
    def shows_effects(self) -> bool:
        """Whether an op that has an effect shows it: not in a pass that no replay explains, nor
        where a dimension has one element, so that a mean or a softmax along it changes nothing."""
        is_replayed = self.manual.verified.how in ("replayable", "branches")
        return is_replayed and not any(1 in leaf.shape for leaf in self.leaves)

    @functools.cached_property
    def used(self) -> frozenset[int]:
        """The ops from which data reaches y or a gradient and changes it. All from which data
        reaches them are used where no effects show, and where the task calculates for nothing
        itself."""
        if self.twin is not None:
            return self.twin.used
        verified, expected, flow = self.manual.verified, self.manual.expected, self.flow
        if (path := self.path) is None or not self.shows_effects:
            return frozenset(flow.reached)
        rows = expected.judged.nonzero().flatten()
        if len(verified.paths) > 1:
            own = torch.tensor(path.runs, dtype=torch.long)
            rows = own[expected.judged[own]]
        points = expected.points[rows]
        idle = idle_ops(path.program, points)
        if idle and has_idle_nodes(self.variant, points[:IDLE_POINTS]):
            return frozenset(flow.reached)
        return frozenset(flow.reached - idle)


def with_twins(cases: Iterable[Case]) -> list[Case]:
    """Cases of one submission at several sizes, with their twins."""
    cases, firsts = [*cases], dict[object, PassCase]()
    for at, case in enumerate(cases):
        if isinstance(case, PassCase) and case.manual.verified.how == "replayable":
            twin = firsts.get(structure := case.flow.structure)
            if twin is not None:
                cases[at] = replace(case, twin=twin)
            elif case.shows_effects:
                firsts[structure] = case
    return cases


def calling_site(
    submission: Submission | None, class_name: str, recording: Recording, op: Op
) -> Span | None:
    """The line of the student's that an op comes of. With operators of their own, the line that
    uses `*` says more than that of `__mul__`, through which all products go: it is the last
    statement before their class is entered. Without them a class may be entered from a decorator,
    whose line says nothing."""
    if RESET not in dict(recording.phases):
        return op.site
    classes = lineage(submission, class_name)
    before: Span | None = None
    for span in recording.statements[op.statement].spans:
        if span is None:
            continue
        if any(own.unit == span.unit and own.line <= span.line <= own.end_line for own in classes):
            return before or op.site
        before = span
    return op.site
