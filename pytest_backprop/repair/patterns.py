"""Faults that are more than one node: gradients in each other's place, a number typed in for a
weight, and a line that runs several times."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import torch

from ..trace.graph import PLAIN_NUMBERS
from .bench import POINTS, Bench
from .edits import Edit, Tree
from .field import PRIME, Pole, power, residue
from .scalar_nodes import Node
from .scalars import Scalars
from .score import Repair, RepairCandidate, RepairScore
from .text import TypedIn, key_of

EXPONENTS = (1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6)
"""Powers of a typed-in number, the likelier first."""
Way = tuple[Fraction, int]
"""The factor and the power by which a number is made of one in the text."""
Ways = dict[int, Way]
"""The same by node."""
AS_IT_IS: Way = (Fraction(1), 1)
BINARY = ("add", "sub", "mul", "div")
MOST_TYPED = 8
"""Numbers of a pass that are tried, each and each two."""
CERTAIN = RepairScore(0, 0, 0, 0, 0, 0)
"""Of a pattern that fits: there is nothing beside it to compare with."""


class Patterns:
    """Looks for them, one after the other."""

    def __init__(self, scalars: Scalars, bench: Bench) -> None:
        self.nodes = scalars.nodes
        self._scalars = scalars
        self._bench = bench
        self._frames: dict[object, dict[str, int]] = {}

    def found(self) -> list[Repair]:
        """The lines that have to be changed together; none if it is nothing of the kind. Raises
        OutOfBudget."""
        return (
            self._misplaced() or self._typed_in() or self._everywhere() or self._named_for() or []
        )

    def _misplaced(self) -> list[Repair] | None:
        """Gradients that are right and stand in the wrong slots."""
        bench = self._bench
        found: list[Repair] = []
        for i in bench.targets:
            output = bench.outputs[i]
            needed = [bench.right[p][i] for p in range(POINTS)]
            everywhere = [right[i] for right in bench.right]
            holders = [
                n
                for n, node in enumerate(self.nodes)
                if (node.bound is not None or n in bench.outputs)
                and [values[n] for values in bench.values] == everywhere
            ]
            if output is None or not holders or self.nodes[output].site is None:
                return None
            edit = Edit("slot", 1, ("node", holders[0]))
            found.append(Repair((RepairCandidate(output, tuple(needed), edit, CERTAIN),)))
        return found

    def _typed_in(self) -> list[Repair] | None:
        """Numbers that stand where weights or inputs should: one, two, or all that bear their
        names."""
        ways = self._ways()
        leaves = {node.name: n for n, node in enumerate(self.nodes) if node.code == "leaf"}
        typed = [typed for typed in self._scalars.typed if typed in ways][:MOST_TYPED]
        for count in (1, 2):
            for chosen in itertools.combinations(typed, count):
                for read in itertools.permutations(leaves.values(), count):
                    pairs = list(zip(chosen, read, strict=True))
                    if self._mends(ways, pairs):
                        return [self._read_instead(*pair) for pair in pairs]
        named = [(t, leaves[t.key]) for t in typed if t.key in leaves]
        if len(named) > 2 and self._mends(ways, named):
            return [self._read_instead(*pair) for pair in named]
        return None

    def _ways(self) -> dict[TypedIn, Ways]:
        """How the numbers that the pass calculates with are made of those in its text."""
        ways: dict[TypedIn, Ways] = {}
        for n, node in enumerate(self.nodes):
            if n not in self._bench.reaching or node.code != "number" or node.number is None:
                continue
            made = [
                (typed, way)
                for typed in self._scalars.typed
                if (way := _made_of(node.number, typed.number))
            ]
            if made:
                typed, way = min(
                    made,
                    key=lambda m: (m[1] != AS_IT_IS, m[0].key is None or m[0].key != node.bound),
                )
                ways.setdefault(typed, {})[n] = way
        return ways

    def _mends(self, ways: Mapping[TypedIn, Ways], pairs: Sequence[tuple[TypedIn, int]]) -> bool:
        """Whether all is right when weights or inputs are read in the place of numbers."""
        bench = self._bench
        return bench.mends(
            [
                {
                    n: residue(factor) * power(bench.values[p][leaf], exponent) % PRIME
                    for typed, leaf in pairs
                    for n, (factor, exponent) in ways[typed].items()
                }
                for p in range(POINTS)
            ]
        )

    def _named_for(self) -> list[Repair] | None:
        """A number that bears the name of a weight or an input: where no edit was found, Python may
        have worked on it in ways that leave no trace."""
        leaves = {node.name: n for n, node in enumerate(self.nodes) if node.code == "leaf"}
        for typed in self._scalars.typed:
            if typed.key in leaves:
                return [self._read_instead(typed, leaves[typed.key])]
        return None

    def _read_instead(self, typed: TypedIn, leaf: int) -> Repair:
        site = typed.site
        self._scalars.nodes.append(Node("number", number=typed.number, site=site, place=(site,)))
        n = len(self.nodes) - 1
        needed = tuple(self._bench.values[p][leaf] for p in range(POINTS))
        edit = Edit("typed-in", 1, ("node", leaf))
        return Repair((RepairCandidate(n, needed, edit, CERTAIN),))

    def _everywhere(self) -> list[Repair] | None:
        """One edit at every execution of an expression: a helper, a loop."""
        sites: dict[object, list[int]] = {}
        for n in sorted(self._bench.reaching):
            node = self.nodes[n]
            if node.op >= 0 and node.operands and node.code != "copy":
                sites.setdefault((node.site, node.code), []).append(n)
        for nodes in sites.values():
            if len(nodes) < 2:
                continue
            names = sorted(set.intersection(*(set(self._frame(n)) for n in nodes)))
            for slips in zip(*(self._slips(n, names) for n in nodes), strict=True):
                trees = {n: tree for n, (_, tree) in zip(nodes, slips, strict=True)}
                with contextlib.suppress(Pole):
                    if all(
                        self._bench.is_right(p, self._bench.rewritten(p, trees))
                        for p in range(POINTS)
                    ):
                        edit = Edit(slips[0][0], 2, trees[nodes[0]])
                        return [Repair((RepairCandidate(nodes[0], (), edit, CERTAIN),))]
        return None

    def _slips(self, n: int, names: Sequence[str]) -> Iterator[tuple[str, Tree]]:
        """What is easily mistyped at node `n`, by kind: in the same order for each execution of an
        expression. `names` are read around all of them."""
        node = self.nodes[n]
        me: Tree = ("node", n)
        operands: list[Tree] = [("node", o) for o in node.operands]
        yield "sign", ("neg", me)
        if node.code in BINARY:
            left, right = operands
            for code in BINARY:
                if code != node.code:
                    yield "operator", (code, left, right)
            yield "order", (node.code, right, left)
            yield "extra", left
            yield "extra", right
        for factor in (2, Fraction(1, 2), 3, Fraction(1, 3)):
            yield "factor", ("mul", ("number", factor), me)
        if node.code == "pow":
            for more in (1, -1, 2, -2):
                yield "exponent", ("pow", operands[0], int(node.number) + more)
        frame = self._frame(n)
        for name in names:
            value: Tree = ("node", frame[name])
            if node.code in BINARY:
                yield "operand", (node.code, value, operands[1])
                yield "operand", (node.code, operands[0], value)
            for code in ("mul", "div", "add", "sub"):
                yield "factor" if code in ("mul", "div") else "term", (code, me, value)

    def _frame(self, n: int) -> dict[str, int]:
        """The names that the student reads around an execution, with their nodes."""
        if not self._frames:
            for m, expressions in self._scalars.expressions.items():
                path = self.nodes[m].place[-1]
                if not isinstance(path, tuple) or self.nodes[m].op < 0:
                    continue
                frame = self._frames.setdefault(self._frame_of(m), {})
                for expression, operand in zip(expressions, self.nodes[m].operands, strict=False):
                    key = None if expression is None else key_of(expression)
                    if key is not None:
                        frame.setdefault(key, operand)
        found = self._frames.get(self._frame_of(n), {})
        return {key: m for key, m in found.items() if m < n}

    def _frame_of(self, n: int) -> object:
        path = self.nodes[n].place[-1]
        return path[-1] if isinstance(path, tuple) and path else None


def _made_of(number: float, typed: float) -> Way | None:
    """The factor and power by which one number is made of another, as Python does before any
    tensor is met; None if it is not. Plain numbers are made of each other in too many ways."""
    if number in (typed, torch.tensor(typed).item()):  # a tensor of it is rounded
        return AS_IT_IS
    for exponent in () if {number, typed} & PLAIN_NUMBERS else EXPONENTS:
        halves = 2 * number / typed**exponent
        if abs(halves) <= 48 and math.isclose(halves, round(halves), rel_tol=1e-12):
            return Fraction(round(halves), 2), exponent
    return None
