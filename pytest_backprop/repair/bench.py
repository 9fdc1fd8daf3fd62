"""A pass laid out for trying changes: its values at a few random points of the prime field, what is
right there, and what its outputs become when one node has another value."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..exercises.functions.bank import Variant
from .arithmetic import PIECEWISE, compute, sign
from .field import PRIME, Pole, inverse, residue
from .roles import Derivatives, derivatives, evaluate, upstream, variant_nodes
from .scalar_nodes import Node

POINTS = 2
"""The first is searched on, the others confirm. By chance an edit fits one with probability below
1e-12."""
TRIES = 80
ENOUGH = 24
"""Points to draw where there are kinks, so that each side of them is met; more, while nothing is
wrong."""


class OutOfBudget(Exception):
    """The search took more work than it may."""


class Budget:
    """Work that a search may do, counted in nodes evaluated, so that every run does the same."""

    def __init__(self, work: int) -> None:
        self.left = work

    def spend(self, work: int) -> None:
        """Raises OutOfBudget for more than is left."""
        if work > self.left:
            raise OutOfBudget
        self.left -= work


class _Point(NamedTuple):
    values: list[int]
    right: tuple[int, ...]
    ideal: Derivatives
    steps: list[int]


class Bench:
    """Raises NotComparable for a pass without a comparable point, OutOfBudget for one that is too
    large.

    `targets` are the outputs (y, then the gradients) that are wrong. `values[p][n]` and
    `right[p][output]` are residues.
    """

    def __init__(
        self, nodes: Sequence[Node], outputs: Sequence[int | None], variant: Variant, budget: Budget
    ) -> None:
        self.nodes = nodes
        self.outputs = outputs
        self.budget = budget
        ideal = variant_nodes(variant)
        constants = [_residue(node) for node in nodes]
        ideal_constants = [_residue(node) for node in ideal]
        # nothing is proved here, and every run must find the same
        source = random.Random("repair")
        labels = (*variant.weights, *variant.inputs)
        ideal_weights = [_leaf(ideal, name) for name in variant.weights]
        points: dict[object, list[_Point]] = {}
        for done in range(TRIES):
            if done >= ENOUGH and any(
                len(group) == POINTS and self._telling(group)[0] for group in points.values()
            ):
                break
            leaves = {name: source.randrange(1, PRIME) for name in labels}
            budget.spend(len(nodes) + len(ideal))
            try:
                steps = evaluate(ideal, leaves, ideal_constants)
                mine = evaluate(nodes, leaves, constants)
                sides = (*_sides(ideal, steps), *_sides(nodes, mine))
                group = points.setdefault(sides, [])
                if len(group) == POINTS:
                    continue
                slopes = derivatives(ideal, steps, len(ideal) - 1, ideal_weights)
                if slopes is None:
                    raise NotComparable
            except Pole:
                continue
            right = (steps[-1], *(slopes.adjoint(w) for w in ideal_weights))
            group.append(_Point(mine, right, slopes, steps))
            if not sides and len(group) == POINTS:
                break
        # the points to search on are all on the same side of every kink: there where most outputs
        # are wrong, and least is zero
        full = [group for group in points.values() if len(group) == POINTS]
        if not full:
            raise NotComparable
        chosen = max(full, key=self._telling)
        self.values = [point.values for point in chosen]
        self.right = [point.right for point in chosen]
        self.ideals = [point.ideal for point in chosen]
        self._steps = [point.steps for point in chosen]
        self.targets = [
            i
            for i, node in enumerate(outputs)
            if node is not None and self.now(node) != [right[i] for right in self.right]
        ]
        self.reaching = upstream(nodes, [o for o in outputs if o is not None])
        """Nodes that an output is made of."""
        self._readers: dict[int, list[int]] = {}
        for n, reader in enumerate(nodes):
            for operand in set(reader.operands):
                self._readers.setdefault(operand, []).append(n)
        self._after: dict[int, list[int]] = {}
        self.weights = [_leaf(nodes, name) for name in variant.weights]

    def _telling(self, group: list[_Point]) -> tuple[int, int]:
        """How many outputs are wrong there, and how many values not zero."""
        first = group[0]
        wrong = sum(
            o is not None and first.values[o] != right
            for o, right in zip(self.outputs, first.right, strict=True)
        )
        return wrong, sum(value != 0 for value in first.values)

    def now(self, n: int) -> list[int]:
        """The value of a node at each point."""
        return [values[n] for values in self.values]

    def steps(self) -> list[list[int]]:
        """The variant's own values, at each point."""
        return [list(values) for values in dict.fromkeys(zip(*self._steps, strict=True))]

    @functools.cached_property
    def own_roles(self) -> Derivatives | None:
        """Roles at the first point by the student's own forward nodes; nothing where y is wrong."""
        y = self.outputs[0]
        if y is None or 0 in self.targets:
            return None
        return derivatives(self.nodes, self.values[0], y, self.weights)

    def after(self, n: int) -> list[int]:
        """The nodes that depend on `n`, in order."""
        if n not in self._after:
            seen: set[int] = set()
            todo = [n]
            while todo:
                for reader in self._readers.get(todo.pop(), ()):
                    if reader not in seen:
                        seen.add(reader)
                        todo.append(reader)
            self._after[n] = sorted(seen)
        return self._after[n]

    def outcome(self, p: int, n: int, value: int) -> list[int]:
        """The outputs at point `p` when a node has another value. Raises Pole, OutOfBudget."""
        new, values = self.changed(p, n, value), self.values[p]
        return [-1 if o is None else new.get(o, values[o]) for o in self.outputs]

    def changed(self, p: int, n: int, value: int) -> dict[int, int]:
        """The values that differ, or may, when a node has another. Raises Pole, OutOfBudget."""
        self.budget.spend(len(self.after(n)) + 1)
        values, nodes = self.values[p], self.nodes
        new = {n: value}
        for m in self.after(n):
            new[m] = compute(nodes[m], *[new.get(o, values[o]) for o in nodes[m].operands])
        return new

    def is_right(self, p: int, outputs: Sequence[int]) -> bool:
        """Whether every output that there is is right."""
        return all(
            o is None or got == right
            for o, got, right in zip(self.outputs, outputs, self.right[p], strict=True)
        )

    def mends(self, n: int, values: Sequence[int]) -> bool:
        """Whether other values of a node, one at each point, make all outputs right. Raises
        OutOfBudget."""
        try:
            return all(self.is_right(p, self.outcome(p, n, v)) for p, v in enumerate(values))
        except Pole:
            return False

    def needed(self, n: int) -> list[int] | None:
        """The value that node `n` must have, at each point, for all outputs to be right, if they
        are fractions of linear functions of it. None if there is none. Raises OutOfBudget."""
        needed: list[int] = []
        for p in range(POINTS):
            now = self.values[p][n]
            samples = [now, (now * 3 + 1) % PRIME, (now * 5 + 7) % PRIME]
            base = [-1 if o is None else self.values[p][o] for o in self.outputs]
            try:
                first = self.outcome(p, n, samples[1])
                if any(first[i] == base[i] for i in self.targets):
                    return None
                second = self.outcome(p, n, samples[2])
                pivot = self.targets[0]
                value = _solve(
                    samples, [base[pivot], first[pivot], second[pivot]], self.right[p][pivot]
                )
                if value is None or not self.is_right(p, self.outcome(p, n, value)):
                    return None
            except Pole:
                return None
            needed.append(value)
        return needed


class NotComparable(Exception):
    """No point can be found, or the variant has a function without a known slope."""


def _solve(v: Sequence[int], y: Sequence[int], target: int) -> int | None:
    """Where a fraction of linear functions, known at three places, has the value `target`: the
    cross ratio stays the same."""
    try:
        ratio = (
            (target - y[0])
            * (y[1] - y[2])
            % PRIME
            * inverse((target - y[2]) * (y[1] - y[0]) % PRIME)
            % PRIME
        )
        over = (v[0] * (v[1] - v[2]) - ratio * v[2] * (v[1] - v[0])) % PRIME
        return over * inverse(((v[1] - v[2]) - ratio * (v[1] - v[0])) % PRIME) % PRIME
    except Pole:
        return None


def _sides(nodes: Sequence[Node], values: Sequence[int]) -> Iterator[int]:
    """On which side of its kink each function is that has one."""
    for node in nodes:
        if node.code == "call" and node.name in PIECEWISE and node.name != "where":
            a, b = (*(values[o] for o in node.operands), 0)[:2]
            yield sign((a - b) % PRIME)


def _residue(node: Node) -> int:
    return residue(node.number) if node.code == "number" and node.number is not None else 0


def _leaf(nodes: Sequence[Node], name: str) -> int:
    return next(n for n, node in enumerate(nodes) if node.code == "leaf" and node.name == name)
