"""Replays a recording over a prime field: exactly, where every op is rational.

Equal residues at a few random points mean the same function. With numerators of degree at most D,
two different functions agree at one random point with probability at most D / p; `degree` bounds D
for a recording, and `points_needed` says how many points make the chance of an error < 1e-15.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..model import Recording
from .field import MAX_EXPONENT, PRIME, inverse, power, residue
from .graph import DataFlow
from .lowering import lower, walk
from .scalar_nodes import Node, NotLowered

MAX_DEGREE = 10**60
ERROR = 1e-15
ROUNDED = frozenset({"float16", "bfloat16", "complex32", "complex64", "complex128"})
"""What is calculated in these is not what the formula says."""

Degrees = tuple[int, int]
"""Of a numerator and a denominator."""


class NotRational(Exception):
    """A recording with an op that is no rational function, or none that is known here."""


class Exact(NamedTuple):
    """Residues at one point: the result and each weight's gradient, None where there is none."""

    result: int | None
    gradients: tuple[int | None, ...]


class ExactProgram:
    """The ops of a recording that reach its results, over the field.

    Raises NotRational when made of a recording that cannot be replayed so.
    """

    def __init__(self, recording: Recording, flow: DataFlow) -> None:
        for position in flow.reached - flow.views:
            op = recording.ops[position]
            for v in (*op.reads, *op.outputs):
                if recording.values[v].dtype in ROUNDED:
                    raise NotRational(f"a value of dtype {recording.values[v].dtype}")
        try:
            whole = walk(flow)
            self._lowered = whole.results() if whole.is_whole else lower(recording, flow)
        except NotLowered as problem:
            raise NotRational(str(problem)) from problem
        needed = self._lowered.needed()
        self._nodes = [(at, node) for at, node in enumerate(self._lowered.nodes) if at in needed]
        self._numbers = {
            at: _number(node.number) for at, node in self._nodes if node.code == "number"
        }
        self.degree = self._degree()

    def run(self, weights: Sequence[int], inputs: Sequence[int]) -> Exact:
        """Residues of the results, given residues of the leaves.

        Raises field.Pole at a point where the program divides by zero.
        """
        leaves = {"weight": weights, "input": inputs}
        made: dict[int, int] = {}
        for at, node in self._nodes:
            if node.code == "leaf":
                made[at] = leaves[node.name][int(node.number)]
            elif node.code == "number":
                made[at] = self._numbers[at]
            elif node.code == "pow":
                made[at] = power(made[node.operands[0]], int(node.number))
            else:
                operands = [made[operand] for operand in node.operands]
                made[at] = ARITHMETIC[node.code].value(*operands) % PRIME
        result = self._lowered.result
        return Exact(
            made[result[0]] if result is not None and len(result) == 1 else None,
            tuple(None if at is None else made[at] for at in self._lowered.gradients),
        )

    def _degree(self) -> int:
        """A bound on the degrees of numerator and denominator of every result, in the leaves."""
        bounds: dict[int, Degrees] = {}
        for at, node in self._nodes:
            if node.code == "leaf":
                bounds[at] = (1, 0)
            elif node.code == "number":
                bounds[at] = (0, 0)
            elif node.code == "pow":
                highest = max(bounds[node.operands[0]]) * _exponent(node)
                bounds[at] = (highest, highest)
            elif node.code in ARITHMETIC:
                bounds[at] = ARITHMETIC[node.code].degree(*(bounds[o] for o in node.operands))
            else:
                raise NotRational(node.name)
            if max(bounds[at]) > MAX_DEGREE:
                raise NotRational("a degree out of bounds")
        return max([1, *(max(bound) for bound in bounds.values())])


def points_needed(degree: int) -> int:
    """Random points after which two functions whose degrees are at most `degree` agree by chance
    with probability below ERROR. The numerator of their difference has at most twice the degree."""
    chance = 2 * degree / PRIME
    if chance >= 0.5:
        raise NotRational("a degree too high for this prime")
    return max(2, math.ceil(math.log(ERROR) / math.log(chance)))


def _exponent(node: Node) -> int:
    if node.number != int(node.number):
        raise NotRational("an exponent that is no integer")
    if abs(node.number) > MAX_EXPONENT:
        raise NotRational("a large exponent")
    return abs(int(node.number))


def _number(number: float) -> int:
    if not math.isfinite(number):
        raise NotRational("an operand that is no finite number")
    return residue(number)


class Arithmetic(NamedTuple):
    """What an op makes of its operands over the field, and a bound on the degrees of that by theirs."""

    value: Callable[..., int]
    degree: Callable[..., Degrees]


def _of_sum(a: Degrees, b: Degrees) -> Degrees:
    return max(a[0] + b[1], b[0] + a[1]), a[1] + b[1]


ARITHMETIC = {
    "add": Arithmetic(lambda a, b: a + b, _of_sum),
    "sub": Arithmetic(lambda a, b: a - b, _of_sum),
    "mul": Arithmetic(lambda a, b: a * b, lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "div": Arithmetic(lambda a, b: a * inverse(b), lambda a, b: (a[0] + b[1], a[1] + b[0])),
    "neg": Arithmetic(lambda a: -a, lambda a: a),
}


__all__ = ["Exact", "ExactProgram", "NotRational", "points_needed"]
