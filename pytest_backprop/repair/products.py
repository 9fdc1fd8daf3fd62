"""Edits of one node by what the pass has never computed: a product or a quotient of two values, or the slope
of a function. There are many, so they come when no plainer edit will do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ..trace.field import PRIME, Pole, inverse, residue
from ..trace.scalar_nodes import Node
from .edits import CONSTANTS, Edit, KnownValues, Tree, lost_factors, value_of, with_operand

FACTORS = [(c, residue(c)) for c in CONSTANTS if c > 0 and c != 1 and c <= 4]
ONE: Tree = ("number", 1)
SLOPES: Mapping[str, Callable[[Tree, Tree], Tree]] = MappingProxyType(
    {
        "sin": lambda a, out: ("call", "cos", a),
        "cos": lambda a, out: ("neg", ("call", "sin", a)),
        "tanh": lambda a, out: ("sub", ONE, ("pow", out, 2)),
        "sigmoid": lambda a, out: ("mul", out, ("sub", ONE, out)),
    }
)
"""How the slope of a function is written, from its argument and its value; of those that need more than a
product of two values."""


def products(
    nodes: Sequence[Node], n: int, values: Sequence[int], needed: int, known: KnownValues
) -> Iterator[Edit]:
    """Edits that give node `n` the value `needed` at the first point with a term or a factor that was never
    computed, or with that alone."""
    me: Tree = ("node", n)
    node, now = nodes[n], values[n]
    if node.code == "number" and (node.bound is None or not now):
        return
    for tree, negative in _made_of_two(nodes, values, needed, known):
        yield Edit("value", 7 + negative, ("neg", tree) if negative else tree)
    for tree, negative in _made_of_two(nodes, values, (needed - now) % PRIME, known):
        yield Edit("term", 6, ("sub" if negative else "add", me, tree))
    if now and needed:
        for tree, negative in _made_of_two(nodes, values, needed * inverse(now) % PRIME, known):
            yield Edit("factor", 6 + negative, ("mul", me, ("neg", tree) if negative else tree))
    for at, ratio in lost_factors(node, values, needed):
        for tree, negative in _made_of_two(nodes, values, ratio, known):
            factor: Tree = ("mul", ("node", node.operands[at]), ("neg", tree) if negative else tree)
            yield Edit("factor", 6 + negative, with_operand(node, at, factor))


def _made_of_two(
    nodes: Sequence[Node], values: Sequence[int], wanted: int, known: KnownValues
) -> Iterator[tuple[Tree, bool]]:
    """What has the wanted value, or its negative, which is said."""
    either = (wanted, PRIME - wanted)
    if not wanted:
        return
    for value, under in known.inverses.items():  # plainer than a quotient, so before them
        if under in either:
            yield ("div", ("number", 1), ("node", known.nodes[value][0])), under != wanted
    for tree in _slopes(nodes, known):
        with contextlib.suppress(Pole):
            value = value_of(tree, values)
            if value in either:
                yield tree, value != wanted
    for value, under in known.inverses.items():
        first: Tree = ("node", known.nodes[value][0])
        for code, rest in (("mul", wanted * under % PRIME), ("div", wanted * value % PRIME)):
            other = known.nodes.get(rest) or known.nodes.get(PRIME - rest)
            if other:
                second: Tree = ("node", other[0])
                pair = (first, second) if code == "mul" else (second, first)
                yield (code, *pair), rest not in known.nodes
    for base, found in known.nodes.items():
        for exponent, made in ((2, base * base % PRIME), (3, base * base * base % PRIME)):
            if made in either:
                yield ("pow", ("node", found[0]), exponent), made != wanted
        for constant, factor in FACTORS:
            made = base * factor % PRIME
            if made in either:
                yield ("mul", ("number", constant), ("node", found[0])), made != wanted


def _slopes(nodes: Sequence[Node], known: KnownValues) -> Iterator[Tree]:
    """Slopes of the functions that the pass has called."""
    for found in known.nodes.values():
        for m in found:
            node = nodes[m]
            if node.code == "call" and node.name in SLOPES:
                yield SLOPES[node.name](("node", node.operands[0]), ("node", m))
