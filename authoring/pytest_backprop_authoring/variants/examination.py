"""Is a variant fit for a class? What the grader demands of one, and what a fair draw demands more."""

from __future__ import annotations

import functools
import itertools
import math
import random
from typing import NamedTuple

import torch

from pytest_backprop.exercises.functions.bank import FLOAT_FUNCTIONS, Variant
from pytest_backprop.judging.case import Tolerance
from pytest_backprop.exercises.functions.reference import Expected
from pytest_backprop.exercises.functions.scenarios import points
from pytest_backprop.exercises.functions.reference import check_conditioning, expected
from pytest_backprop.grading.tasks import check_sensitivity
from pytest_backprop.repair.field import PRIME, Pole

from .dual import Dual

POINTS = 4096
"""As many as the grader takes, from its own seed."""
SEED = 0
TOLERANCE = Tolerance(5e-5, 1e-7)
"""The assignment's, and the grader's default."""


class Fitness(NamedTuple):
    """`left_out`: the share of the grader's points where the variant is ill-conditioned or has no
    value. `by_float32`: the share of points drawn as the assignment's own test draws them where
    autograd's float32 run keeps within the tolerance."""

    left_out: float
    by_float32: float


def fitness(variant: Variant) -> Fitness:
    """Raises UsageProblem for what the grader would refuse."""
    judged = expected(variant, points(variant, SEED, POINTS))
    check_conditioning(variant, judged)
    check_sensitivity(variant, judged, TOLERANCE)
    return Fitness(1 - judged.judged.double().mean().item(), _by_float32(judged))


def _by_float32(judged: Expected) -> float:
    here = [regime == "assignment" for regime in judged.regimes]
    within = torch.ones_like(judged.judged)
    for name, exact in judged.outputs.items():
        allowed = TOLERANCE.atol + TOLERANCE.rtol * exact.abs()
        within &= (judged.float32_error[name] <= allowed).all(1)
    return within[here].double().mean().item()


def is_rational(variant: Variant) -> bool:
    """Whether a variant is built of + - * / and literal integer powers only."""
    steps = variant.program
    return all(
        step.code != "call"
        and (step.code != "pow" or isinstance(steps[step.operands[1]].value, int))
        for step in steps
    )


class Twins:
    """Tells a function that was met before. Rational ones are told apart by what they give at points
    of a prime field: exactly, but for a chance below 1e-30 that two agree by accident (Schwartz 1980,
    Zippel 1979). Others are compared one by one.

    With `renamed`, a variant with its weights, or its inputs, in another order is the same too.
    """

    def __init__(self, renamed: bool = False) -> None:
        self._renamed = renamed
        self._known: dict[object, str] = {}
        self._all: list[Variant] = []

    def met(self, variant: Variant) -> str | None:
        """The name of a variant kept before that is the same function; None for a new one."""
        known = self._known.get(self._key(variant)) if is_rational(variant) else None
        if known is not None:
            return known
        others = (v for v in self._all if not (is_rational(v) and is_rational(variant)))
        return next((v.name for v in others if same_function(variant, v)), None)

    def keep(self, variant: Variant) -> None:
        """From now on the variant is one that was met."""
        self._all.append(variant)
        if is_rational(variant):
            self._known.setdefault(self._key(variant), variant.name)

    def _key(self, variant: Variant) -> object:
        names = variant.weights, variant.inputs
        orders = [names]
        if self._renamed and math.prod(math.factorial(len(n)) for n in names) <= MAX_ORDERS:
            orders = list(itertools.product(*map(itertools.permutations, names)))  # type: ignore[arg-type]
        return names, min(_values(variant, order) for order in orders)


POINTS_COMPARED = 24


def same_function(a: Variant, b: Variant, seed: int = 0) -> bool:
    """Whether two variants compute the same function of the same names, however written.

    They are compared in floats to 1e-9 at random points. Points where either has a pole, or leaves
    its domain, are skipped. If none is left, only equal programs count as the same. Raises nothing.
    """
    if (a.weights, a.inputs) != (b.weights, b.inputs):
        return False
    # without line numbers, as texts may differ in layout only
    one, other = ([(s.code, s.operands, s.name, s.value) for s in v.program] for v in (a, b))
    if one == other:
        return True
    draw, compared = random.Random(f"same:{seed}"), 0
    for _ in range(8 * POINTS_COMPARED):
        point = {name: draw.uniform(-2, 2) for name in a.weights + a.inputs}
        try:
            # Python answers a fractional power of a negative number with a complex one, of which
            # float() makes a TypeError
            ours, theirs = (
                float(v.evaluate(point, FLOAT_FUNCTIONS, constant=float)) for v in (a, b)
            )
        except (ArithmeticError, ValueError, TypeError):
            continue
        if not (math.isfinite(ours) and math.isfinite(theirs)):
            continue
        if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12):
            return False
        compared += 1
        if compared == POINTS_COMPARED:
            break
    return compared > 0


MAX_ORDERS = 720
"""With more orders of weights and inputs than this, only the given one is looked at."""


def matters(variant: Variant) -> bool:
    """Whether a rational function depends on each of its weights and inputs."""
    names = (*variant.weights, *variant.inputs)
    environment = {
        name: Dual(_residue(place, 0), tuple(int(place == at) for at in range(len(names))))
        for place, name in enumerate(names)
    }
    try:
        found: Dual = variant.evaluate(environment)
    except Pole:
        return False
    return all(found.slopes)


def _values(variant: Variant, order: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[int, ...]:
    """What a rational variant gives at two points of the field, its names in this order; -1 at a
    pole."""
    names = (*order[0], *order[1])
    values = []
    for point in range(2):
        environment = {name: Dual(_residue(at, point), ()) for at, name in enumerate(names)}
        try:
            found: Dual = variant.evaluate(environment)
            values.append(found.value)
        except Pole:
            values.append(-1)
    return tuple(values)


@functools.cache
def _residue(place: int, point: int) -> int:
    return random.Random(f"twins:{place}:{point}").randrange(PRIME)
