"""Single edits of one node that give it a needed value: what a student may have mistyped."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .arithmetic import called, others, raised
from .field import ARITHMETIC, PRIME, Pole, inverse, power, residue
from .scalar_nodes import Node

Tree = tuple[Any, ...]
"""What to write: `("node", n)`, `("number", c)`, `("neg", t)`, `("pow", t, n)`,
`("call", name, t, ...)`, or `(code, t, t)` for add, sub, mul, div."""

CONSTANTS = tuple(
    sorted(
        {Fraction(n, d) for n in range(-12, 13) for d in (1, 2, 4)},
        key=lambda f: (abs(f), f < 0, f.denominator),
    )
)
EXPONENTS = range(-6, 9)
LESS = 0.5
"""The cost of a minus too many; none if it stands inside a product, where nobody would put it."""
SQUARE = 1
"""The cost of a square that is missing: one character, or two."""


class Edit(NamedTuple):
    """A change of one node. `cost` is how far it is from what stands there: 1 for a slip of a
    sign, more for what takes more to mistype. `tree` is what the node should be."""

    kind: str
    cost: float
    tree: Tree


CONSTANT_RESIDUES = {residue(c): c for c in reversed(CONSTANTS)}
Readable = dict[int, list[int]]
"""By residue, the nodes that have it at the first point and may be read."""


def value_of(tree: Tree, values: Sequence[int]) -> int:
    """The value of what an edit writes. Raises Pole."""
    code = tree[0]
    if code == "node":
        return values[tree[1]]
    if code == "number":
        return residue(tree[1])
    if code == "call":
        return called(tree[1], [value_of(part, values) for part in tree[2:]])
    a = value_of(tree[1], values)
    if code == "pow":
        return raised(a, tree[2])
    return ARITHMETIC[code](a, *(value_of(part, values) for part in tree[2:])) % PRIME


def edits(
    nodes: Sequence[Node], n: int, values: Sequence[int], needed: int, readable: Readable
) -> Iterator[Edit]:
    """Edits that give node `n` the value `needed` at the first point, roughly cheapest first."""
    node = nodes[n]
    me: Tree = ("node", n)
    now = values[n]
    if needed == -now % PRIME:
        negated = [
            o
            for o in node.operands
            if nodes[o].code == "neg"
            and nodes[o].bound is None
            and nodes[o].place == node.place
            and not _is_number(nodes, o)
        ]
        if negated and node.code in ("mul", "div"):
            bare = [nodes[o].operands[0] if o == negated[0] else o for o in node.operands]
            inside = negated[0] == node.operands[1]
            yield Edit("sign", 0 if inside else LESS, (node.code, *(("node", o) for o in bare)))
        # rather the operands the other way round, or the sign of one term
        if node.code == "neg":
            cost = 2 if _is_number(nodes, n) else LESS
            yield Edit("sign", cost, ("node", node.operands[0]))
        else:
            yield Edit("sign", {"sub": 2, "add": 3}.get(node.code, 1), ("neg", me))
    yield from _same_operands(node, values, needed)
    if node.code == "number":
        if needed in CONSTANT_RESIDUES:
            yield Edit("number", 2 if needed else 4, ("number", CONSTANT_RESIDUES[needed]))
        if node.bound is not None:
            for other in readable.get(needed, ()):
                if nodes[other].code == "leaf":
                    yield Edit("typed-in", 1, ("node", other))
            if now:
                yield from _whole(n, node, values, needed, readable)
        return
    yield from _other_operand(nodes, node, values, needed, readable)
    yield from _whole(n, node, values, needed, readable)


def _is_number(nodes: Sequence[Node], n: int) -> bool:
    """Whether a minus stands before a number: it belongs to that, as in `-1 * a ** -2`."""
    return all(nodes[o].code == "number" for o in nodes[n].operands)


def _same_operands(node: Node, values: Sequence[int], needed: int) -> Iterator[Edit]:
    """Other operators, order and signs on the operands as they are."""
    operands: list[Tree] = [("node", o) for o in node.operands]
    if node.code == "pow":
        base, half = values[node.operands[0]], 0 if isinstance(node.number, int) else 0.5
        for exponent in (whole + half for whole in EXPONENTS) if base else ():
            if raised(base, exponent) == needed:
                tree: Tree = ("pow", operands[0], exponent)
                yield Edit("exponent", 1, tree if exponent != 1 else operands[0])
        return
    calls: list[Tree] = [("call", name, *operands) for name in others(node.name)]
    if node.name == "where" and len(operands) == 3:
        calls.append(("call", "where", operands[0], operands[2], operands[1]))
    for tree in calls if node.code == "call" else ():
        with contextlib.suppress(Pole):
            if value_of(tree, values) == needed:
                yield Edit("function", 2, tree)
    if node.code not in ("add", "sub", "mul", "div"):
        return
    a, b = (values[o] for o in node.operands)
    left, right = operands
    for code in ("add", "sub", "mul", "div"):
        for x, y, tx, ty, turned in ((a, b, left, right, 0), (b, a, right, left, 1)):
            if turned and code in ("add", "mul"):
                continue
            if code == "div" and y == 0:
                continue
            result = ARITHMETIC[code](x, y) % PRIME
            tree = (code, tx, ty)
            same = code == node.code
            kind = "order" if same else "operator"
            if result == needed:
                yield Edit(kind, 1 + turned * (not same), tree)
            elif result == -needed % PRIME and not (same and not turned):
                yield Edit(kind, 3, ("neg", tree))
    if node.code in ("add", "sub") and needed == (b - a) % PRIME:
        yield Edit("sign", 1, ("add", ("neg", left), right))
    for value, tree in ((a, left), (b, right)):
        if value == needed:
            yield Edit("extra", 2, tree)
        elif -value % PRIME == needed:
            yield Edit("extra", 3, ("neg", tree))


def _other_operand(
    nodes: Sequence[Node], node: Node, values: Sequence[int], needed: int, readable: Readable
) -> Iterator[Edit]:
    """Another value in the place of one operand."""
    if node.code in ("add", "sub", "mul", "div"):
        a, b = (values[o] for o in node.operands)
        for at, wanted in enumerate(_solved(node.code, a, b, needed)):
            if wanted is None:
                continue
            old = node.operands[at]
            begun = node.code == "add" and not values[old] and nodes[old].code == "number"
            for tree, cost in _plain(wanted, readable, old, values):
                pair: list[Tree] = [("node", o) for o in node.operands]
                pair[at] = tree
                if begun:  # `grad += g`, where grad is zero: a term is missing, and may be from g
                    yield Edit("term", max(cost, 3), (node.code, *pair))
                else:
                    scaled = tree[0] == "mul" and tree[1][0] == "number"
                    yield Edit("factor" if scaled else "operand", cost, (node.code, *pair))
        if node.code in ("add", "sub"):
            yield from _lost_factor(node, values, needed, readable)
    elif node.code in ("neg", "copy"):
        wanted = -needed % PRIME if node.code == "neg" else needed
        for tree, cost in _plain(wanted, readable, node.operands[0], values):
            yield Edit("operand", cost, ("neg", tree) if node.code == "neg" else tree)
    elif node.code == "pow":
        assert node.number is not None
        for candidate, holders in readable.items():
            with contextlib.suppress(Pole):
                if candidate and raised(candidate, node.number) == needed:
                    yield Edit("operand", 2, ("pow", ("node", holders[0]), node.number))


def _lost_factor(
    node: Node, values: Sequence[int], needed: int, readable: Readable
) -> Iterator[Edit]:
    """A factor that one term of a sum lacks. Elsewhere that is a factor of the whole."""
    a, b = (values[o] for o in node.operands)
    for at, wanted in enumerate(_solved(node.code, a, b, needed)):
        was = (a, b)[at]
        if not was or not wanted or wanted in (was, PRIME - was):
            continue
        ratio = wanted * inverse(was) % PRIME
        for side, code in ((ratio, "mul"), (inverse(ratio), "div")):
            for factor in readable.get(side, ())[:2]:
                pair: list[Tree] = [("node", o) for o in node.operands]
                pair[at] = (code, pair[at], ("node", factor))
                yield Edit("factor", 3, (node.code, *pair))


def _solved(code: str, a: int, b: int, needed: int) -> tuple[int | None, int | None]:
    """What the first, or else the second operand must be."""
    if code == "add":
        return (needed - b) % PRIME, (needed - a) % PRIME
    if code == "sub":
        return (needed + b) % PRIME, (a - needed) % PRIME
    try:
        if code == "mul":
            return (
                needed * inverse(b) % PRIME if b else None,
                needed * inverse(a) % PRIME if a else None,
            )
        return needed * b % PRIME, a * inverse(needed) % PRIME if needed else None
    except Pole:
        return None, None


def _plain(
    wanted: int, readable: Readable, old: int, values: Sequence[int]
) -> Iterator[tuple[Tree, int]]:
    """A value that is there, or its negative, or a plain number, or the old operand changed."""
    was = values[old]
    for other in readable.get(wanted, ())[:4]:
        yield ("node", other), 2
    for other in readable.get(-wanted % PRIME, ())[:2]:
        yield ("neg", ("node", other)), 1 if other == old else 4
    if wanted in CONSTANT_RESIDUES:
        yield ("number", CONSTANT_RESIDUES[wanted]), 3 if wanted else 5
    if was:
        ratio = wanted * inverse(was) % PRIME
        if ratio in CONSTANT_RESIDUES and abs(CONSTANT_RESIDUES[ratio]) != 1:
            yield ("mul", ("number", CONSTANT_RESIDUES[ratio]), ("node", old)), 4
        for exponent in (-1, 2, 3, -2):
            if power(was, exponent) == wanted:
                yield (
                    ("pow", ("node", old), exponent),
                    SQUARE if exponent == 2 else 3 if exponent > 0 else 5,
                )


def _whole(
    n: int, node: Node, values: Sequence[int], needed: int, readable: Readable
) -> Iterator[Edit]:
    """Something more, or less, around the node as it stands; or another value for all of it."""
    me: Tree = ("node", n)
    now = values[n]
    for other in readable.get(needed, ())[:4]:
        yield Edit("value", 4, ("node", other))
    for other in readable.get(-needed % PRIME, ())[:2]:
        yield Edit("value", 5, ("neg", ("node", other)))
    if needed in CONSTANT_RESIDUES:
        yield Edit("value", 5, ("number", CONSTANT_RESIDUES[needed]))
    more = (needed - now) % PRIME
    for sign, code in ((more, "add"), (-more % PRIME, "sub")):
        for other in readable.get(sign, ())[:3]:
            yield Edit("term", 3, (code, me, ("node", other)))
    if more in CONSTANT_RESIDUES:
        number = CONSTANT_RESIDUES[more]
        yield Edit("term", 4, ("add", me, ("number", number)))
    for other in readable.get((needed + now) % PRIME, ())[:3]:
        yield Edit("term", 3, ("sub", ("node", other), me))
    if now and needed:
        ratio = needed * inverse(now) % PRIME
        back = inverse(ratio)
        if ratio in CONSTANT_RESIDUES and ratio != PRIME - 1:
            yield Edit("factor", 3, ("mul", ("number", CONSTANT_RESIDUES[ratio]), me))
        for side, code in ((ratio, "mul"), (back, "div")):
            for other in readable.get(side, ())[:3]:
                # a copy is what is left of a product
                yield Edit("factor", 2 if node.code == "copy" else 3, (code, me, ("node", other)))
            for other in readable.get(-side % PRIME, ())[:2]:
                yield Edit("factor", 5, ("neg", (code, me, ("node", other))))
        if needed * now % PRIME == 1:
            yield Edit("order", 2 if node.code == "div" else 5, ("div", ("number", 1), me))
        elif needed * now % PRIME == PRIME - 1:
            yield Edit("order", 3 if node.code == "div" else 6, ("div", ("number", -1), me))
