"""What the values of a pass should be: for every node its value, adjoint and tangents, the local
partials, and the terms that add up to them.

A value that is none of these, in a pass that is otherwise right, is where it went wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..exercises.functions.bank import Variant
from .arithmetic import compute, has_minus, slopes
from .field import PRIME
from .scalar_nodes import Node, NodeTable

MAX_ROLES = 6
"""Of one value: equal values may play several."""
MAX_TERMS = 5
"""Terms of a sum of which every partial sum counts; of more, only those from either end."""


class Role(NamedTuple):
    """What a value is. `kind`: `value`, `adjoint`, `tangent`, `partial`, or `term`, of the node
    `of`; by the node `by` for a partial or a term; by the weight `weight` for a tangent or its
    term."""

    kind: str
    of: int
    by: int = -1
    weight: int = -1


class Derivatives:
    """Of a program at one point, exactly: what each value is (`roles`, by residue), and what each
    is put together from."""

    def __init__(
        self,
        nodes: Sequence[Node],
        values: Sequence[int],
        y: int,
        weights: Sequence[int],
        inside: dict[int, tuple[int, ...]],
    ) -> None:
        self.roles: dict[int, list[Role]] = {}
        self.nodes = nodes
        order = sorted(upstream(nodes, [y]))
        depends = set(weights)
        for n in order:
            if any(o in depends for o in nodes[n].operands):
                depends.add(n)
        self._adjoints, contributions = _backward(nodes, order, inside, y)
        tangents = [_forward(nodes, order, inside, w) for w in weights]
        self.unsigned: set[int] = set()
        """Partial derivatives and contributions by rules with a minus, without that."""
        own = [n for n in order if nodes[n].code != "copy"]
        edges = [
            (n, o, partial)
            for n in own
            for o, partial in zip(nodes[n].operands, inside.get(n, ()), strict=True)
            if o in depends
        ]
        for n, o, partial in edges:
            if has_minus(nodes[n], nodes[n].operands.index(o)):
                by = (1, self.adjoint(n), *(along.get(o, 0) for along, _ in tangents))
                self.unsigned |= {-partial * factor % PRIME for factor in by}
        # where the adjoint is 1 a partial derivative is the contribution itself
        local = [values[n] for n in own]
        local += [partial for n, _, partial in edges if self.adjoint(n) != 1]
        reverse = _summed(own, depends, self._adjoints, contributions)
        forward = [part for along, sums in tangents for part in _summed(own, depends, along, sums)]
        self.counts = Counter([*local, *reverse]), Counter(local + forward)
        """How many quantities have a value, in reverse and in forward mode."""
        for n in order:
            self._is(values[n], Role("value", n))
        for n in order:
            if n in depends:
                self._is(self.adjoint(n), Role("adjoint", n))
        for index, (slope, _) in enumerate(tangents):
            for n in order:
                if slope.get(n):
                    self._is(slope[n], Role("tangent", n, weight=index))
        for n in order:
            for operand, slope_of in zip(nodes[n].operands, inside.get(n, ()), strict=True):
                if operand in depends:
                    self._is(slope_of, Role("partial", n, operand))
        for n, parts in contributions.items():
            if n in depends:
                self._sums(parts, Role("term", n))
        for index, (_, sums) in enumerate(tangents):
            for n, parts in sums.items():
                self._sums(parts, Role("term", n, weight=index))

    def adjoint(self, n: int) -> int:
        """d y / d node; 0 where y does not depend on it."""
        return self._adjoints.get(n, 0)

    def _is(self, value: int, role: Role) -> None:
        if not value:
            return  # behind a kink anything may be zero
        roles = self.roles.setdefault(value, [])
        if len(roles) < MAX_ROLES and role not in roles:
            roles.append(role)

    def _sums(self, parts: list[tuple[int, int]], role: Role) -> None:
        terms = [term for _, term in parts]
        for by, term in parts:
            self._is(term, role._replace(by=by))
        for count in range(2, len(terms)):
            if len(terms) <= MAX_TERMS:
                for part in combinations(terms, count):
                    self._is(sum(part) % PRIME, role)
            else:
                self._is(sum(terms[:count]) % PRIME, role)
                self._is(sum(terms[-count:]) % PRIME, role)


def variant_nodes(variant: Variant) -> list[Node]:
    """The variant's own program; its last node is y."""
    table = NodeTable()
    leaves = {name: table.node("leaf", name=name) for name in (*variant.weights, *variant.inputs)}
    results: list[int] = []
    for step in variant.program:
        operands = [results[i] for i in step.operands]
        if step.code == "load":
            results.append(leaves[step.name])
        elif step.code == "pos":
            results.append(operands[0])
        elif step.code == "constant" or step.code == "exponent":
            results.append(table.node("number", number=step.value or 0))
        elif step.code == "pow":
            results.append(table.node("pow", operands[:1], table.nodes[operands[1]].number))
        else:
            results.append(table.node(step.code, operands, name=step.name))
    if results[-1] != len(table.nodes) - 1:
        table.node("copy", results[-1:])
    return table.nodes


def derivatives(
    nodes: Sequence[Node], values: Sequence[int], y: int, weights: Sequence[int]
) -> Derivatives | None:
    """Of the node `y` by everything that it is made of; None where a function has no known slope.

    Raises field.Pole.
    """
    inside: dict[int, tuple[int, ...]] = {}
    for n in upstream(nodes, [y]):
        node = nodes[n]
        if node.operands:
            partials = slopes(node, [values[o] for o in node.operands], values[n])
            if partials is None:
                return None
            inside[n] = tuple(slope % PRIME for slope in partials)
    return Derivatives(nodes, values, y, weights, inside)


def upstream(nodes: Sequence[Node], of: Iterable[int]) -> set[int]:
    """The nodes that others are made of, themselves included."""
    seen: set[int] = set()
    todo = list(of)
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.add(n)
            todo.extend(nodes[n].operands)
    return seen


def evaluate(nodes: Sequence[Node], leaves: dict[str, int], numbers: Sequence[int]) -> list[int]:
    """The value of each node; `numbers` has the residues of the constants. Raises Pole."""
    values: list[int] = []
    for n, node in enumerate(nodes):
        if node.code == "leaf":
            values.append(leaves[node.name])
        elif node.code == "number":
            values.append(numbers[n])
        else:
            values.append(compute(node, *[values[o] for o in node.operands]))
    return values


Terms = dict[int, list[tuple[int, int]]]


def _summed(
    own: Sequence[int], depends: set[int], whole: dict[int, int], terms: Terms
) -> Iterator[int]:
    """Each derivative, and what it is the sum of, where that is several."""
    for n in own:
        if n in depends and n in whole:
            yield whole[n]
            parts = terms.get(n, ())
            if len(parts) > 1:
                yield from (term for _, term in parts)


def _backward(
    nodes: Sequence[Node], order: Sequence[int], inside: dict[int, tuple[int, ...]], y: int
) -> tuple[dict[int, int], Terms]:
    adjoints = {y: 1}
    terms: Terms = {}
    for n in reversed(order):
        g = adjoints.get(n, 0)
        for operand, slope in zip(nodes[n].operands, inside.get(n, ()), strict=True):
            term = g * slope % PRIME
            terms.setdefault(operand, []).append((n, term))
            adjoints[operand] = (adjoints.get(operand, 0) + term) % PRIME
    return adjoints, terms


def _forward(
    nodes: Sequence[Node], order: Sequence[int], inside: dict[int, tuple[int, ...]], weight: int
) -> tuple[dict[int, int], Terms]:
    tangents = {weight: 1}
    terms: Terms = {}
    for n in order:
        for operand, slope in zip(nodes[n].operands, inside.get(n, ()), strict=True):
            if tangents.get(operand):
                term = tangents[operand] * slope % PRIME
                terms.setdefault(n, []).append((operand, term))
                tangents[n] = (tangents.get(n, 0) + term) % PRIME
    return tangents, terms
