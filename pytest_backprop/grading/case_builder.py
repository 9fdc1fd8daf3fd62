"""From settled evidence to the case that every check is given."""

from __future__ import annotations

import dataclasses
import functools
from types import MappingProxyType
from typing import Any

from ..exercises.base import Exercise
from ..exercises.functions.own_run import has_idle_nodes
from ..exercises.functions.reference import gradient_growth
from ..judging.case import Beside, Case, ObservedCase, PassCase, Tolerance
from ..model import Submission
from ..onnx.models import ModelCase
from ..submission.parse import place_of
from ..trace.lateness import Loops
from .faulty_lines import locate
from .settlement import Settled, TaskReference


def build_case(
    submission: Submission,
    tolerance: Tolerance,
    exercise: Exercise,
    known: TaskReference,
    settled: Settled,
    facts: Any = None,
    model: ModelCase | None = None,
    memory: int = 0,
    beside: tuple[Beside, ...] = (),
    loops: Loops = MappingProxyType({}),
) -> Case:
    """The case of one draw. `model`, `memory` and `beside` are of the submission, and stand in the first
    of its cases alone. `loops` are those of all draws."""
    variant, (evidence, manual, ahead, flow) = known.variant, settled
    case = Case(
        evidence=evidence,
        weight_names=variant.weights,
        input_names=variant.inputs,
        expected=known.points,
        cost=known.cost,
        tolerance=tolerance,
        forward=ahead,
        manual=manual,
        place=functools.partial(place_of, submission),
        gradient_growth=functools.partial(gradient_growth, variant),
        has_idle_nodes=functools.partial(has_idle_nodes, variant),
        submission=submission,
        leaves=variant.leaves,
        sizes=variant.sizes,
        exercise=exercise,
        facts=facts,
        model=model,
        memory=memory,
        beside=beside,
    )
    case = case if flow is None else PassCase(**vars(case), flow=flow, loops=loops)
    search = functools.partial(locate, submission, variant, case, known.bank)
    return dataclasses.replace(case, locate=functools.cache(search))


def build_observed(
    submission: Submission, tolerance: Tolerance, exercise: Exercise, beside: tuple[Beside, ...]
) -> ObservedCase:
    """The case of a submission of which nothing is replayed, of at least one run."""
    place = functools.partial(place_of, submission)
    return ObservedCase(
        evidence=beside[0].evidence, tolerance=tolerance, place=place, exercise=exercise,
        submission=submission, beside=beside,
    )  # fmt: skip
