"""Is a recorded pass the variant's very own function? Decided exactly, where both are rational.

The variant's value and gradients by dual numbers, the pass by its recorded ops, both over the
field of `trace.field`, at random points. Nothing of the student's runs, and nothing rounds.

The bound (Schwartz 1980, Zippel 1979): both sides are quotients of polynomials whose degrees are at
most D, counted along the program (`ExactProgram.degree`, `Degree` for the variant). Their difference
has a numerator of degree at most 2 D, so two different functions agree at one point drawn from a field
of p = 2^61 - 1 numbers with probability at most 2 D / p, and at k points with (2 D / p)^k. Points are
drawn until that is below 1e-15: two for any D below 3.6e10. A program with 2 D >= p / 2 is
not claimed to be the variant, nor to be another.
"""

from __future__ import annotations

import functools
import math
import random
from typing import NamedTuple

from ...model import Recording, stretches
from ...trace.exact import ExactProgram, NotRational, points_needed
from ...trace.field import PRIME, Dual, Pole
from ...trace.graph import DataFlow
from .bank import Variant

TRIES = 20
"""Points tried in place of poles; a random point is one with probability about degree / 2^61."""


UNKNOWN = (NotRational, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
           AssertionError)  # fmt: skip
"""A recording is not trusted: one that no run can have made may fail in any of these ways."""


class Identity(NamedTuple):
    """Whether value and gradients are the variant's, as functions; None where it cannot be said.

    `points` were compared. A wrong `True` has probability below 1e-15 (`trace.exact.ERROR`); a
    `False` is certain.
    """

    value: bool | None
    gradients: tuple[bool | None, ...]
    points: int
    reason: str = ""


def identity(variant: Variant, recording: Recording | None, flow: DataFlow | None) -> Identity:
    """Compares a recording with the variant. Never raises; `reason` says why it cannot tell."""
    unknown = tuple(None for _ in variant.weights)
    if recording is None or flow is None:
        return Identity(None, unknown, 0, "there is no recording")
    if not variant.is_rational:
        return Identity(None, unknown, 0, "the variant is not rational")
    try:
        program = ExactProgram(recording, flow)
        wanted = points_needed(max(program.degree, _degree(variant)))
    except UNKNOWN as problem:
        return Identity(None, unknown, 0, f"the pass is not rational: {problem}")
    value: bool | None = None
    gradients: list[bool | None] = list(unknown)
    done = 0
    for number in range(wanted + TRIES):
        try:
            weights, inputs, right = _sample(variant, number)
            got = program.run(weights, inputs)
        except Pole:
            continue
        except UNKNOWN as problem:
            return Identity(None, unknown, 0, f"the pass is not rational: {problem}")
        if got.result is not None:
            value = value is not False and got.result == right.value
        for index, slope in enumerate(right.slopes):
            found = got.gradients[index] if index < len(got.gradients) else None
            if found is not None:
                gradients[index] = gradients[index] is not False and found == slope
        done += 1
        if done == wanted:
            return Identity(value, tuple(gradients), done)
    return Identity(None, unknown, 0, "the pass divides by zero everywhere")


@functools.lru_cache(maxsize=1024)
def _sample(variant: Variant, number: int) -> tuple[list[int], list[int], Dual]:
    """A point, the same for all submissions of a run, and the variant's value and gradients there. Raises Pole."""
    # not seeded: a point that a submission could foresee would prove nothing
    source = random.SystemRandom()
    probes = {place for leaf, places in stretches(variant.leaves) if leaf.probe for place in places}
    weights = [0 if at in probes else source.randrange(PRIME) for at in range(len(variant.weights))]
    inputs = [source.randrange(PRIME) for _ in variant.inputs]
    return weights, inputs, _evaluate(variant, weights, inputs)


def _evaluate(variant: Variant, weights: list[int], inputs: list[int]) -> Dual:
    count = len(weights)
    environment = {
        name: Dual(number, tuple(int(i == at) for i in range(count)))
        for at, (name, number) in enumerate(zip(variant.weights, weights, strict=True))
    }
    for name, number in zip(variant.inputs, inputs, strict=True):
        environment[name] = Dual(number, (0,) * count)
    result: Dual = variant.evaluate(environment)
    return result


def _degree(variant: Variant) -> int:
    """A bound on the degree of the variant and, times two for the quotient rule, its gradients."""
    degree: Degree = variant.evaluate(
        {name: Degree(1, 0) for name in (*variant.weights, *variant.inputs)}
    )
    return 2 * max(degree.over, degree.under, 1)


class Degree:
    """Degrees of numerator and denominator, by the rules of `trace.exact`."""

    def __init__(self, over: int, under: int) -> None:
        self.over = over
        self.under = under

    def _lift(self, other: object) -> Degree:
        return other if isinstance(other, Degree) else Degree(0, 0)

    def __add__(self, other: object) -> Degree:
        b = self._lift(other)
        return Degree(max(self.over + b.under, b.over + self.under), self.under + b.under)

    __radd__ = __sub__ = __rsub__ = __add__

    def __neg__(self) -> Degree:
        return self

    __pos__ = __neg__

    def __mul__(self, other: object) -> Degree:
        b = self._lift(other)
        return Degree(self.over + b.over, self.under + b.under)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Degree:
        b = self._lift(other)
        return Degree(self.over + b.under, self.under + b.over)

    def __rtruediv__(self, other: object) -> Degree:
        return Degree(self.under, self.over)

    def __pow__(self, exponent: int) -> Degree:
        highest = max(self.over, self.under) * abs(math.trunc(exponent))
        return Degree(highest, highest)
