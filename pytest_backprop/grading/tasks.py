"""What is right of each task in use, worked out once; and that its settings prove themselves: a
tolerance so wide that a gradient which is nearly right passes would pass wrong submissions in
silence, so that one is tried, and is a usage error if it passes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from ..errors import UsageProblem
from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import Expected, autograd_cost, check_conditioning, expected
from ..exercises.functions.scenarios import generic_points, points
from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Draw, Tolerance
from ..judging.compare import wrong_at
from ..messages import say
from ..model import gradient_of, gradient_places, width_of
from .provenance import CHILD_POINTS
from .rubric import Rubric, scaled

TRIES = 60
"""Sizes that are drawn for a task of matrices: at some it may have no value, as the variance of
one number."""
FACTOR = 1.001
"""A gradient times this differs from the right one by less than each that is wrong by a sign, a
factor or is nothing: where this is told from the right one, so are those."""
FEWEST_POINTS = 2
"""Points of a task whose tensors are large."""
MOST_NUMBERS, MOST_MADE = 2**20, 2**23
"""Numbers of all points together, where they are more, and those that torch's own run makes of
them."""
MOST_SENT = 2**17
"""Numbers of the points that a child runs on at first, where they are more than FEWEST_POINTS."""
NO_EFFECT = 1e-11
"""A gradient that is nowhere larger is the rounding of terms that cancel."""


@dataclass
class Tasks:
    """The tasks of one exercise, tried at `count` points that `seed` gives."""

    exercise: Exercise
    seed: int
    count: int
    tolerance: Tolerance
    _right: dict[str, tuple[tuple[Draw, ...], tuple[Any, ...]]] = field(default_factory=dict)

    def right(self, variant: Variant) -> tuple[tuple[Draw, ...], tuple[Any, ...]]:
        """What is right, at each of the draws that can be judged: one of a task of scalars, none
        where nothing is replayed; and in runs beside the draws, as the exercise has it. Raises
        UsageProblem if none can be judged."""
        if variant.source not in self._right:
            references = tuple(self.exercise.references(variant))
            self._right[variant.source] = self._all_draws(variant), references
        return self._right[variant.source]

    def accepted(self, variant: Variant) -> dict[str, Variant]:
        """By name, the functions that a submission may be judged against: the task's own, and
        others that are right as well."""
        if not isinstance(variant, MatrixVariant):
            return {variant.name: variant}
        return {each.task.shown: each for each in variant.accepted}

    def rubric(self, rubric: Rubric, variant: Variant | None) -> Rubric:
        """The rubric, in which what the task does not ask for is worth nothing."""
        omitted = self.exercise.second_order
        task: Any = None if variant is None else getattr(variant, "task", None)
        if omitted and task is not None and task.order != 2:
            rules = {**rubric.rules, omitted: replace(rubric.rules[omitted], points=0.0)}
            rubric = replace(rubric, rules=rules)
        return scaled(rubric)

    def _all_draws(self, variant: Variant) -> tuple[Draw, ...]:
        if not self.exercise.replays:
            return ()
        if not isinstance(variant, MatrixVariant):
            return (self._draw(variant),)
        draws: dict[str, Draw] = {}  # by sizes
        untried = {(leaf.name, each) for leaf in variant.task.leaves for each in leaf.literals}
        problem: UsageProblem | None = None
        for drawn in map(variant.task.at, range(TRIES)):
            if drawn.sizes not in draws:
                try:
                    draws[drawn.sizes] = self._draw(drawn)
                    untried -= {(leaf.name, leaf.literal) for leaf in drawn.leaves}
                except UsageProblem as reason:
                    problem = problem or reason
            if len(draws) >= variant.draw_count and not untried:
                break
        asked = [_asked(draw.variant) for draw in draws.values()]
        if problem and (untried or _asked(variant) not in asked):
            raise problem  # what is judged nowhere would be paid
        return tuple(draws.values())

    def _draw(self, variant: Variant) -> Draw:
        # of matrices, each of a point's numbers is judged, and at several sizes
        width, cost = width_of(variant.leaves), autograd_cost(variant)
        most = max(FEWEST_POINTS, min(MOST_NUMBERS // width, MOST_MADE // cost.numbers))
        own = points(variant, self.seed, min(self.count // variant.draw_count, most))
        judged = expected(variant, own)
        check_conditioning(variant, judged)
        check_sensitivity(variant, judged, self.tolerance)
        # another seed than the grader's own points: the child must not see those
        count = min(CHILD_POINTS, max(FEWEST_POINTS, MOST_SENT // width))
        child_points = generic_points(variant, self.seed + 1, count)
        return Draw(variant, judged, child_points, expected(variant, child_points), cost)


def _asked(variant: Variant) -> set[str]:
    """The tensors whose gradients are asked for."""
    return {leaf.name for leaf in variant.leaves if leaf.kind == "weight"}


def check_sensitivity(variant: Variant, right: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming a weight that the result does not depend on, as in `w0 - w0`, or
    whose gradient times FACTOR the tolerance does not tell from its own on the judged points."""
    judged = right.judged
    places = {"variant": variant.name, "points": int(judged.sum())}
    for weight, numbers in gradient_places(variant.leaves).items():
        own = right.outputs[gradient_of(weight)]
        largest = own[judged].abs().max().item() if own[judged].numel() else math.inf
        if largest <= NO_EFFECT and not variant.may_leave_out:
            raise UsageProblem(
                say(
                    "variant {variant}: the result does not depend on {weight}: its gradient is 0 "
                    "at all {points} points",
                    **places,
                    weight=weight,
                ),
                say("write the variant so that {weight} matters, or without it", weight=weight),
            )
        survives = ~wrong_at(own * FACTOR, own, judged[:, None], tolerance).any(0)
        survives &= (own.abs() > NO_EFFECT)[judged].any(0)  # a number of a tensor may be nothing
        if survives.any():
            raise UsageProblem(
                say(
                    "variant {variant}: at rtol {rtol:g} and atol {atol:g}, on {points} points, "
                    "the gradient of {weight} times {factor} would pass for right",
                    **places,
                    **tolerance._asdict(),
                    weight=variant.weights[numbers[int(survives.int().argmax())]],
                    factor=FACTOR,
                ),
                say("lower the tolerances or raise the setting `points`"),
            )
