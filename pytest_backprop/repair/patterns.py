"""Faults that are more than one node: gradients in each other's place, a number typed in for a
weight, and a line that runs several times."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
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
            holders = [n for n, node in enumerate(self.nodes)
                       if (node.bound is not None or n in bench.outputs)
                       and [values[n] for values in bench.values] == everywhere]  # fmt: skip
            if output is None or not holders or self.nodes[output].site is None:
                return None
            edit = Edit("slot", 1, ("node", holders[0]))
            found.append(Repair((RepairCandidate(output, tuple(needed), edit, CERTAIN),)))
        return found

    def _typed_in(self) -> list[Repair] | None:
        """Numbers that stand where weights or inputs should: one, two, or all that bear their names."""
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
            made = [(typed, way) for typed in self._scalars.typed
                    if (way := _made_of(node.number, typed.number))]  # fmt: skip
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
        return bench.mends([
            {n: residue(factor) * power(bench.values[p][leaf], exponent) % PRIME
             for typed, leaf in pairs for n, (factor, exponent) in ways[typed].items()}
            for p in range(POINTS)
        ])  # fmt: skip

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
            for edit in self._alike(nodes):
                try:
                    if all(self._bench.is_right(p, self._bench.rewritten(p, edit[1]))
                           for p in range(POINTS)):  # fmt: skip
                        n = nodes[0]
                        made = Edit(edit[0], 2, edit[1][n])
                        return [Repair((RepairCandidate(n, (), made, CERTAIN),))]
                except Pole:
                    continue
        return None

    def _alike(self, nodes: Sequence[int]) -> Iterator[tuple[str, dict[int, Tree]]]:
        """The same edit of each of the nodes, which are executions of one expression."""
        code = self.nodes[nodes[0]].code

        def each(make: Callable[[int, list[Tree]], Tree]) -> dict[int, Tree]:
            return {n: make(n, [("node", o) for o in self.nodes[n].operands]) for n in nodes}

        yield "sign", each(lambda n, o: ("neg", ("node", n)))
        if code in ("add", "sub", "mul", "div"):
            for other in ("add", "sub", "mul", "div"):
                if other != code:
                    yield "operator", each(lambda n, o, c=other: (c, o[0], o[1]))  # type: ignore[misc]
            yield "order", each(lambda n, o: (code, o[1], o[0]))
            yield "extra", each(lambda n, o: o[0])
            yield "extra", each(lambda n, o: o[1])
        for factor in (2, Fraction(1, 2), 3, Fraction(1, 3)):
            yield "factor", each(lambda n, o, f=factor: ("mul", ("number", f), ("node", n)))  # type: ignore[misc]
        if code == "pow":
            exponents = {n: self.nodes[n].number for n in nodes}
            for more in (1, -1, 2, -2):
                yield (
                    "exponent",
                    each(
                        lambda n, o, m=more: ("pow", o[0], int(exponents[n] or 0) + m)  # type: ignore[misc]
                    ),
                )
        for key in sorted(set.intersection(*(set(self._frame(n)) for n in nodes))):
            for at in range(len(self.nodes[nodes[0]].operands)):
                if code in ("add", "sub", "mul", "div"):
                    yield (
                        "operand",
                        each(
                            lambda n, o, k=key, a=at: (  # type: ignore[misc]
                                code,
                                *(
                                    ("node", self._frame(n)[k]) if i == a else x
                                    for i, x in enumerate(o)
                                ),
                            )
                        ),
                    )
            for joined in ("mul", "div", "add", "sub"):
                yield (
                    "factor" if joined in ("mul", "div") else "term",
                    each(
                        lambda n, o, k=key, j=joined: (j, ("node", n), ("node", self._frame(n)[k]))  # type: ignore[misc]
                    ),
                )

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
