"""Draws as many variants as a class needs, all as hard as each other. The same seed gives the same."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from pytest_backprop.exercises.functions.bank import Variant, parse_variant
from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import say
from .difficulty import Band, Difficulty, depth_of, difficulty_of, node_count
from .examination import Fitness, Twins, fitness, matters
from .expressions import draw_text

TRIES = 4_000
"""Draws for one variant, before its band is given up."""
MOST_LEFT_OUT = 0.05
LEAST_BY_FLOAT32 = 0.99
"""As the built-in variants, of which the worst has 0.03 and 0.994."""
PILOT = 200
"""Draws that show what difficulty is usual for a number of weights and inputs."""


class Drawn(NamedTuple):
    """A variant that was drawn, with what it is like."""

    variant: Variant
    difficulty: Difficulty
    fitness: Fitness


class Order(NamedTuple):
    """What to draw: names of the weights and of the inputs, and the band of difficulty."""

    seed: int
    weights: tuple[str, ...]
    inputs: tuple[str, ...]
    band: Band


def draw(order: Order, count: int) -> Iterator[Drawn]:
    """v1, v2, ...: distinct, also with their weights or inputs renamed. Each number has draws of its
    own, so that fewer are the beginning of more.

    Raises UsageProblem when the band cannot be met.
    """
    twins = Twins(renamed=True)
    for number in range(1, count + 1):
        found = _draw(order, number, twins)
        twins.keep(found.variant)
        yield found


def usual_difficulty(weights: Sequence[str], inputs: Sequence[str]) -> Difficulty:
    """The median difficulty of draws with as many weights and inputs, on as many nodes as give each
    its part. Raises UsageProblem if there are no such draws."""
    random = Random(f"pilot:{len(weights)}:{len(inputs)}")
    nodes = max(4, 6 + 3 * len(weights) + len(inputs))
    found = []
    for _ in range(TRIES):
        text = draw_text(random, "v1", nodes, weights, inputs)
        variant = None if text is None else _parsed(text)
        if variant is not None and matters(variant):
            found.append(difficulty_of(variant))
            if len(found) == PILOT:
                break
    if not found:
        raise UsageProblem(
            say(
                "no function was found of {weights} weights and {inputs} inputs",
                weights=len(weights),
                inputs=len(inputs),
            ),
            say("ask for fewer weights and inputs, or write the variants by hand"),
        )
    return median_difficulty(found)


def median_difficulty(found: Sequence[Difficulty]) -> Difficulty:
    """The median of each measure."""
    return Difficulty(*(statistics.median_low(column) for column in zip(*found, strict=True)))


def _draw(order: Order, number: int, twins: Twins) -> Drawn:
    key = (
        f"{order.seed}:{len(order.weights)}:{len(order.inputs)}:{tuple(order.band.least)}:{number}"
    )
    random = Random(f"variants:{key}")
    least, greatest = order.band.least.nodes, order.band.greatest.nodes
    missed: Counter[str] = Counter()
    for _ in range(TRIES):
        nodes = random.randint(least, greatest)
        text = draw_text(random, f"v{number}", nodes, order.weights, order.inputs)
        variant = None if text is None else _parsed(text)
        if variant is None:
            continue
        found = _examined(variant, order.band, twins, missed)
        if found is not None:
            return found
    reason, _ = missed.most_common(1)[0] if missed else (say("nothing could be drawn"), 0)
    raise UsageProblem(
        say(
            "v{number} could not be drawn in {tries} tries; most often: {reason}",
            number=number,
            tries=TRIES,
            reason=reason,
        ),
        say("take another --like, --seed, or number of --weights and --inputs"),
    )


def _parsed(text: str) -> Variant | None:
    try:
        return parse_variant(text)
    except UsageProblem:  # a degree too high, a weight that does not reach the result
        return None


def _examined(variant: Variant, band: Band, twins: Twins, missed: Counter[str]) -> Drawn | None:
    """The variant if it is fit, in order of what it costs to find out."""
    depths = range(band.least.depth, band.greatest.depth + 1)
    nodes = range(band.least.nodes, band.greatest.nodes + 1)
    if depth_of(variant) not in depths or node_count(variant) not in nodes:
        missed[say("too deep, or not deep enough")] += 1
        return None
    if not matters(variant):
        return None
    difficulty = difficulty_of(variant)
    if not band.holds(difficulty):
        missed[say("autograd's own run is too long, too short, or has another peak")] += 1
        return None
    try:
        fit = fitness(variant)
    except UsageProblem:
        missed[say("the grader could not tell right from wrong on it")] += 1
        return None
    if fit.left_out > MOST_LEFT_OUT or fit.by_float32 < LEAST_BY_FLOAT32:
        missed[say("it is ill-conditioned")] += 1
        return None
    if twins.met(variant) is not None:
        missed[say("it is the same function as another")] += 1
        return None
    return Drawn(variant, difficulty, fit)
