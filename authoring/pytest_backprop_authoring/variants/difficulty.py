"""How hard a variant is, in counts: nodes of its forward, depth, and what autograd's own run takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.exercises.functions.bank.program import Step
from pytest_backprop.exercises.functions.reference import autograd_cost


class Difficulty(NamedTuple):
    """`nodes` of the forward, `depth` of the longest path through them, `backward` ops of autograd's
    own run, and `peak`, its most live values at once."""

    nodes: int
    depth: int
    backward: int
    peak: int


class Band(NamedTuple):
    """What a difficulty may be: least and greatest of each measure, both included."""

    least: Difficulty
    greatest: Difficulty

    def holds(self, difficulty: Difficulty) -> bool:
        """Whether every measure lies in the band."""
        rows = zip(self.least, difficulty, self.greatest, strict=True)
        return all(low <= value <= high for low, value, high in rows)


WIDTH = Difficulty(nodes=1, depth=1, backward=3, peak=1)
"""How far from the centre of a band each measure may lie."""


def band_around(centre: Difficulty) -> Band:
    """The band `WIDTH` around a difficulty."""
    rows = list(zip(centre, WIDTH, strict=True))
    least = Difficulty(*(max(1, value - width) for value, width in rows))
    return Band(least, Difficulty(*(value + width for value, width in rows)))


def difficulty_of(variant: Variant) -> Difficulty:
    """The difficulty of a variant; runs autograd once."""
    cost = autograd_cost(variant)
    return Difficulty(node_count(variant), depth_of(variant), cost.backward_ops, cost.peak_live)


def node_count(variant: Variant) -> int:
    """How many nodes the forward computes."""
    return sum(map(_computes, variant.program))


def depth_of(variant: Variant) -> int:
    """How many nodes the longest path from a weight or an input to y has."""
    depths: list[int] = []
    for step in variant.program:
        below = max((depths[operand] for operand in step.operands), default=0)
        depths.append(below + _computes(step))
    return depths[-1]


def outliers(difficulties: Sequence[Difficulty]) -> list[frozenset[str]]:
    """For each, the measures in which it lies outside Tukey's fences: more than one and a half times
    the quartiles' distance beyond them (Tukey 1977), and more than 1."""
    found: list[set[str]] = [set() for _ in difficulties]
    for name in Difficulty._fields:
        values = [getattr(difficulty, name) for difficulty in difficulties]
        ordered = sorted(values)
        low, high = (_quantile(ordered, share) for share in (0.25, 0.75))
        reach = max(1.0, 1.5 * (high - low))
        for marks, value in zip(found, values, strict=True):
            if value < low - reach or value > high + reach:
                marks.add(name)
    return [frozenset(marks) for marks in found]


def _quantile(ordered: Sequence[int], share: float) -> float:
    if not ordered:
        return 0.0
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def _computes(step: Step) -> bool:
    return step.code not in ("load", "constant", "exponent")
