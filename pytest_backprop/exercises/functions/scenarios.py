"""Points to try a variant at: weights and inputs together, in several regimes, from a seed.

Every value is exactly representable in float32, so a float32 run and a float64 run see the same
point. No torch; the generator is private, nobody's random state is touched."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice, pairwise
from random import Random
from typing import Any, Final

from msgspec import Struct

from ...model import Scenario, places
from .bank import Variant

SIMPLE: Final = (1.0, 2.0, 3.0, 0.5, -1.0, 4.0, 1.5, -2.0, -0.5, 5.0, -3.0, 2.5)
"""What `simple` draws from: halves and small integers that a student can put in by hand."""

_NARROW: Final = 2.0**-24


class Points(Struct, frozen=True):
    """Points of one variant: `rows` (N, D) has the numbers of its leaves, each at its place, and
    `regimes` (N,) how they were drawn. Values are float32 numbers."""

    rows: tuple[tuple[float, ...], ...]
    regimes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.regimes)

    def first(self, count: int) -> Points:
        """The same with the first `count` points alone."""
        return Points(self.rows[:count], self.regimes[:count])


def scenario(variant: Variant, at: Points) -> Scenario:
    """What a child is sent of a variant and points."""
    return Scenario(variant.leaves, at.rows, variant.expression)


Drawer = Callable[[Random, int, int], list[float]]
"""Draws the numbers of a point, of so many weights and then so many inputs."""


def points(variant: Variant, seed: int, count: int) -> Points:
    """`count` points, the regimes in turn (`REGIMES`, `assignment` first).

    `assignment`: weights in (0.05, 1), inputs on the grid of torch.rand in [0, 1). `signed`: 0.05
    to 2 in magnitude. `small`: 1e-2 to 1e-1. `large`: 2 to 20; of tensors one, by chance, while the
    others are 0.05 to 0.3. `near-equal`: variables in random
    pairs, 2e-3 to 1e-2 apart, relatively; nearer would be ill-conditioned in float32. `simple`:
    halves and small integers, all different while they last. Numbers of a leaf with `ranges` are
    uniform in one of them, in turn. The generator is seeded by the variant's name and `seed`, and
    fewer points are a prefix of more. Poles and the domains of log, sqrt and the like are left to
    the judge, as is conditioning: skipping points here would need the variant's values."""
    # of matrices, sums of large products overflow in `exp`, and a softmax by its formula is as
    # right as torch's
    draws = _DRAWS if variant.of_scalars else {**_DRAWS, "large": _one_large(variant)}
    return _draw(variant, f"points:{variant.name}:{seed}", count, draws)


def generic_points(variant: Variant, seed: int, count: int) -> Points:
    """`count` points for tracing, in turn `assignment` (all in (0.05, 1)) and `signed`.

    Values within a point differ in magnitude and use all bits of a 24-bit grid, so no simple
    number turns up and two quantities of a trace are equal only if they are the same quantity.
    Prefixes, seeding and domains as for `points`; the two streams are independent."""
    draws: dict[str, Drawer] = {"assignment": _generic_assignment, "signed": _generic_signed}
    return _draw(variant, f"generic:{variant.name}:{seed}", count, draws)


def _draw(variant: Variant, key: str, count: int, draws: dict[str, Drawer]) -> Points:
    weights, inputs = len(variant.weights), len(variant.inputs)
    width = weights + inputs
    random = Random(key)  # text seeds go through sha512: the same in every process
    regimes = tuple(islice(cycle(draws), count))
    at = places(variant.leaves)
    bounded = {
        place: leaf
        for leaf in variant.leaves
        if leaf.positive or leaf.probe
        for place in at[leaf.name]
    }
    ranged = [
        (at[leaf.name], Random(f"{key}:{leaf.name}"), rounds(f"ranges:{key}:{leaf.name}", of))
        for leaf in variant.leaves
        if (of := leaf.ranges)
    ]
    # One sequential stream, never a function of `count`: that is what makes prefixes hold.
    flat: list[float] = []
    for regime in regimes:
        row = draws[regime](random, weights, inputs)
        for place, leaf in bounded.items():
            row[place] = 0.0 if leaf.probe else abs(row[place])
        for own, numbers, intervals in ranged:
            low, high = next(intervals)
            row[own.start : own.stop] = [numbers.uniform(low, high) for _ in own]
        flat += row
    # One C loop rounds all of them; struct.pack a value at a time costs ten times as much.
    flat = array("f", flat).tolist()
    return Points(
        tuple(tuple(flat[start : start + width]) for start in range(0, count * width, width)),
        regimes,
    )


def rounds(key: str, choices: Iterable[Any]) -> Iterator[Any]:
    """Each of the choices in turn, again and again, each round in another order."""
    random, each = Random(key), list(choices)
    while True:
        yield from random.sample(each, len(each))


def _assignment(random: Random, weights: int, inputs: int) -> list[float]:
    # 24 bits, as torch.rand: with more, 0.99999999 would round up to 1.0 in float32.
    bits = random.getrandbits
    values = [0.05 + 0.95 * _NARROW * bits(24) for _ in range(weights)]
    return values + [_NARROW * bits(24) for _ in range(inputs)]


def _of_magnitude(least: float, span: float) -> Drawer:
    """Draws numbers of either sign, `least` to `least + span` in magnitude."""

    def draw(random: Random, weights: int, inputs: int) -> list[float]:
        uniform = random.random
        return [
            math.copysign(least + span * uniform(), uniform() - 0.5)
            for _ in range(weights + inputs)
        ]

    return draw


def _one_large(variant: Variant) -> Drawer:
    """Draws all numbers small but for one leaf's, which are large."""
    owns = [[*place] for place in places(variant.leaves).values() if len(place)]

    def draw(random: Random, weights: int, inputs: int) -> list[float]:
        row = _of_magnitude(0.05, 0.25)(random, weights, inputs)
        own = random.choice(owns)
        for place, number in zip(own, _of_magnitude(2.0, 18.0)(random, 0, len(own)), strict=True):
            row[place] = number
        return row

    return draw


def _near_equal(random: Random, weights: int, inputs: int) -> list[float]:
    values = _of_magnitude(0.2, 1.8)(random, weights, inputs)
    order = list(range(len(values)))
    random.shuffle(order)
    for one, other in zip(order[::2], order[1::2], strict=False):
        gap = math.copysign(2e-3 + 7.9e-3 * random.random(), random.random() - 0.5)
        values[other] = values[one] * (1.0 + gap)
    return values


def _simple(random: Random, weights: int, inputs: int) -> list[float]:
    width = weights + inputs
    if width <= len(SIMPLE):
        return random.sample(SIMPLE, width)
    return random.choices(SIMPLE, k=width)


_DRAWS: Final[dict[str, Drawer]] = {
    "assignment": _assignment,
    "signed": _of_magnitude(0.05, 1.95),
    # Just inside the bounds: 0.01 itself is a little less in float32.
    "small": _of_magnitude(0.01000001, 0.08999998),
    "large": _of_magnitude(2.0, 18.0),
    "near-equal": _near_equal,
    "simple": _simple,
}
REGIMES: Final = tuple(_DRAWS)
"""The regimes in the order in which points take turns."""


def _odd(random: Random, low: int, high: int, width: int) -> list[int]:
    """`width` odd numbers in [low, high), far from each other as long as there is room."""
    gap = (high - low) // (2 * width * width)
    if not gap:  # of so many numbers drawn one by one, two are always the same
        return random.sample(range(low | 1, high, 2), width)
    while True:
        numbers = [random.randrange(low, high) | 1 for _ in range(width)]
        ordered = sorted(numbers)
        if all(b - a > gap for a, b in pairwise(ordered)):
            return numbers


def _generic_assignment(random: Random, weights: int, inputs: int) -> list[float]:
    # An odd multiple of 2**-24 needs the whole grid: it is no half, no tenth, no small fraction.
    return [_NARROW * number for number in _odd(random, 838_861, 1 << 24, weights + inputs)]


def _generic_signed(random: Random, weights: int, inputs: int) -> list[float]:
    return [
        math.copysign(2 * _NARROW * number, random.random() - 0.5)
        for number in _odd(random, 419_431, 1 << 24, weights + inputs)
    ]
