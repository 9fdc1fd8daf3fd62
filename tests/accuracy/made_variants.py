"""Variants in the course's style: three r's over + - * / and integer powers of w0, w1, x1, x2, x3,
that float32 can tell right from wrong on. In every third, functions and other powers too."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from expressions import LEAVES, PRIME, WEIGHTS, Expr, Num, Writer, replaced, slots, walk
from functions import ANYWHERE, POSITIVE_ONLY, TWO, dual

POINTS = 60
RESULTS = ("r1", "r2", "r3", "y")


class MadeVariant(NamedTuple):
    """A variant: its name, text, the definitions of r1, r2, r3, y in order, and what is right."""

    name: str
    text: str
    parts: tuple[tuple[str, Expr], ...]
    env: dict[str, Num]
    right: tuple[Num, ...]
    """(y, d y / d w0, d y / d w1)"""
    judged: np.ndarray
    """At which of the points float32 is near float64, so that a difference counts."""

    @property
    def is_rational(self) -> bool:
        """Whether it has no functions and whole exponents only."""
        return all(n.r is not None for n in self.right)


def make_variant(seed: int) -> MadeVariant:
    """The variant of a seed."""
    random = Random(f"variant:{seed}")
    wanted = random.random() < 1 / 3
    while True:
        made = _try(random, f"v{100 + seed % 800}", wanted)
        if made is not None:
            return made


def _try(random: Random, name: str, functions: bool) -> MadeVariant | None:
    parts = [(f"r{i}", _part(random)) for i in (1, 2, 3)]
    if functions:
        for i in random.sample(range(3), random.choice((1, 1, 2, 3))):
            parts[i] = (parts[i][0], _with_function(random, parts[i][1]))
    parts.append(("y", _ending(random)))
    used = [leaf for _, e in parts for leaf in slots(e)]
    if any(used.count(leaf) == 0 for leaf in LEAVES) or min(map(used.count, WEIGHTS)) < 2:
        return None
    env = leaf_values(random)
    narrow = {leaf: Num(n.f.astype(np.float32), n.r) for leaf, n in env.items()}
    try:
        with np.errstate(all="ignore"):
            right, single = _evaluate(parts, env), _evaluate(parts, narrow)
            Num.shaken_by = np.random.default_rng(0)
            try:
                shaken = _evaluate(parts, env)
            finally:
                Num.shaken_by = None
    except ValueError:  # it divides by zero everywhere
        return None
    exact = _rows(right)
    judged = np.isfinite(exact).all(0)
    with np.errstate(all="ignore"):
        for rough in (_rows(single), _rows(shaken)):
            judged &= (np.abs(rough - exact) <= 1e-3 * np.abs(exact)).all(0)
    if judged.mean() < 0.8 or any(n.r == 0 for n in right):  # a weight without effect
        return None
    # a gradient that one number decides is no exercise
    if any(np.ptp(row[judged]) < 1e-3 for row in exact):
        return None
    writer = Writer(random, 0.0, random.random() < 0.3, True)
    lines = [f"def {name}():"]
    lines += [f"  {slot} = {writer.text(e, {})}" for slot, e in parts[:-1]]
    lines.append(f"  return {writer.text(parts[-1][1], {})}")
    return MadeVariant(name, "\n".join(lines) + "\n", tuple(parts), env, right, judged)


def leaf_values(random: Random) -> dict[str, Num]:
    """Each leaf at the points: float64 in several regimes, and a random residue."""
    generator = np.random.default_rng(random.getrandbits(32))
    scale = np.repeat([1.0, 2.0, 8.0], POINTS // 3)
    sign = np.where(np.arange(POINTS) < POINTS // 3, 1.0, 0.0)
    values = {}
    for leaf in LEAVES:
        size = (0.05 + 0.95 * generator.random(POINTS)) * scale
        flip = np.where(generator.random(POINTS) < 0.5, -1.0, 1.0)
        values[leaf] = Num(np.where(sign > 0, size, size * flip), random.randrange(PRIME))
    return values


def _rows(numbers: tuple[Num, ...]) -> np.ndarray:
    return np.stack([np.broadcast_to(n.f, POINTS) for n in numbers]).astype(np.float64)


def _evaluate(parts: list[tuple[str, Expr]], env: dict[str, Num]) -> tuple[Num, ...]:
    duals = {
        leaf: (n, Num.of(int(leaf == "w0")), Num.of(int(leaf == "w1"))) for leaf, n in env.items()
    }
    for slot, e in parts:
        duals[slot] = dual(e, duals)
    return duals["y"]


def _leaf(random: Random) -> Expr:
    return ("v", random.choice((*LEAVES, *WEIGHTS)))


def _simple(random: Random) -> Expr:
    """w0, 3 * x1, w1 ** 2."""
    roll = random.random()
    if roll < 0.15:
        return ("bin", "*", ("c", random.choice((2, 3, 2.5, 0.5, 4))), _leaf(random))
    return ("pow", _leaf(random), random.choice((2, 2, 3))) if roll < 0.35 else _leaf(random)


def _term(random: Random, depth: int) -> Expr:
    if depth == 0:
        return _simple(random)
    op = random.choice("+-**//")
    made: Expr = ("bin", op, _term(random, depth - 1), _term(random, random.randrange(depth)))
    return ("pow", made, random.choice((2, 2, 3, -1))) if random.random() < 0.08 else made


def _with_function(random: Random, part: Expr) -> Expr:
    """A part with one of its places, or all of it, under a function."""
    places = [p for p in walk(part) if p[0] in ("v", "bin")]
    place = random.choice(places)
    made = _function(
        random, place if place[0] == "bin" or random.random() < 0.5 else _term(random, 1)
    )
    if place is part or random.random() < 0.3:
        return made if place is part else ("bin", random.choice("+-*"), part, made)
    done: list[Expr] = []

    def once(p: Expr) -> Expr | None:
        if p is place and not done:
            done.append(p)
            return made
        return None

    return replaced(part, once)


def _function(random: Random, inner: Expr) -> Expr:
    roll = random.random()
    if roll < 0.15:
        return ("call", random.choice(TWO), inner, _term(random, random.randrange(2)))
    if roll < 0.4:
        # defined whatever the signs, and smooth
        positive = ("bin", "+", ("pow", inner, 2), ("c", random.choice((1, 2, 0.5))))
        if random.random() < 0.5:
            return ("call", random.choice(POSITIVE_ONLY), positive)
        return ("pow", positive, random.choice((0.5, 1.5, 2.5, -0.5)))
    return ("call", random.choice(ANYWHERE), inner)


def _part(random: Random) -> Expr:
    return ("bin", random.choice("+-*/"), _term(random, random.choice((1, 1, 2))), _term(random, 1))


def _ending(random: Random) -> Expr:
    order = random.sample(["r1", "r2", "r3"], 3)
    a, b, c = (("v", r) for r in order)
    again = ("v", random.choice(("r1", "r2", "r3", "x1", "w0", "w1", "x2")))
    under: Expr = ("bin", random.choice("+-"), random.choice((a, b)), again)
    if under[2] == under[3]:
        under = ("bin", "+", ("pow", under[2], 2), _leaf(random))
    top: Expr = ("bin", random.choice("+-*"), a, ("bin", random.choice("*/+-"), b, c))
    made = random.choice(
        (
            ("bin", "/", top, under),
            ("bin", "+", a, ("bin", "-", b, ("bin", "/", c, under))),
            ("bin", "+", ("bin", "*", a, b), ("bin", "/", c, under)),
            ("bin", "-", ("pow", a, 2), ("bin", "*", b, c)),
        )
    )
    return ("neg", made) if random.random() < 0.05 else made
