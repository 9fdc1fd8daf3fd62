"""Draws functions in the course's form: three named intermediates of + - * / and whole powers, and a
return that joins them. No torch."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from random import Random

Shape = tuple["Shape | str | int", ...]
"""`(op, left, right)`; a leaf is a name, a number, or `SLOT` where one is to come."""
Part = Shape | str | int

SLOT = "?"
OPERATORS = "+++--****//"
"""How often each is drawn."""
SUM, PRODUCT = "+-", "*/"
PARTS_FROM = (4, 7, 11)
"""With so many nodes there are one, two, three intermediates."""


def draw_text(
    random: Random, name: str, nodes: int, weights: Sequence[str], inputs: Sequence[str]
) -> str | None:
    """The text of a function with that many nodes; None if the draw is not fit to look at."""
    count = sum(nodes >= least for least in PARTS_FROM)
    sizes = _sizes(random, nodes, count)
    if sizes is None:
        return None
    locals_ = [f"r{number}" for number in range(1, count + 1)]
    parts = [_filled(_shape(random, size), _leaves(random, weights, inputs)) for size in sizes[:-1]]
    ending = _ending(random, sizes[-1], locals_, weights, inputs)
    if ending is None or not _is_fit([*parts, ending], weights, inputs):
        return None
    lines = [f"{local} = {_text(part)}" for local, part in zip(locals_, parts, strict=True)]
    lines.append(f"return {_text(ending)}")
    body = ast.unparse(ast.parse(f"def {name}():\n" + "\n".join(f"  {line}" for line in lines)))
    return body.replace("    ", "  ") + "\n"


def _sizes(random: Random, nodes: int, count: int) -> list[int] | None:
    """Nodes of each intermediate, and of the return."""
    if count == 0:
        return [nodes]
    ending = random.randint(count, max(count, min(7, nodes - 2 * count)))
    left = nodes - ending - 2 * count
    if left < 0:
        return None
    sizes = [2] * count
    for _ in range(left):
        sizes[random.randrange(count)] += 1
    return None if max(sizes) > 6 + nodes // 12 else [*sizes, ending]


def _shape(random: Random, nodes: int, without: str = "") -> Part:
    """An expression with that many nodes, its leaves open, whose own operator is none of `without`."""
    if nodes == 0:
        return SLOT
    if random.random() < (0.3 if nodes == 1 else 0.15):
        inside = _shape(random, nodes - 1)
        if inside == SLOT or _operator(inside) in ("+", "-"):
            return ("**", inside, random.choice((2, 2, 3)))
    if nodes == 1 and "*" not in without and random.random() < 0.15:
        return ("*", random.choice((2, 3)), SLOT)
    operator = random.choice([o for o in OPERATORS if o not in without])
    left = random.randrange(nodes)
    # a - (b - c) and a * (b / c) are written without parentheses
    after = SUM if operator in SUM else PRODUCT
    return (operator, _shape(random, left), _shape(random, nodes - 1 - left, after))


def _leaves(random: Random, weights: Sequence[str], inputs: Sequence[str]) -> Iterator[str]:
    """Weights and inputs, as often the ones as the others."""
    while True:
        yield random.choice(weights if random.random() < 0.5 else inputs)


def _ending(
    random: Random,
    nodes: int,
    locals_: Sequence[str],
    weights: Sequence[str],
    inputs: Sequence[str],
) -> Part | None:
    """What the function returns: each intermediate at least once, most of the rest are such too."""
    shape = _shape(random, nodes)
    slots = list(_walk(shape)).count(SLOT)
    if slots < len(locals_):
        return None
    more = _leaves(random, weights, inputs)
    extra = [
        random.choice(locals_) if locals_ and random.random() < 0.6 else next(more)
        for _ in range(slots - len(locals_))
    ]
    names = [*locals_, *extra]
    random.shuffle(names)
    return _filled(shape, iter(names))


def _filled(shape: Part, leaves: Iterator[str]) -> Part:
    if isinstance(shape, tuple):
        return (shape[0], *(_filled(inner, leaves) for inner in shape[1:]))
    return next(leaves) if shape == SLOT else shape


def _walk(part: Part) -> Iterator[Part]:
    yield part
    if isinstance(part, tuple):
        for inner in part[1:]:
            yield from _walk(inner)


def _is_fit(parts: Sequence[Part], weights: Sequence[str], inputs: Sequence[str]) -> bool:
    """Every input is there, every weight twice, a weight in each intermediate, and nothing that one
    would write shorter, as `2 * x1 - x1` or `x1 * x1 ** 2`."""
    every = [list(_walk(part)) for part in parts]
    used = [inner for part in every for inner in part]
    if any(used.count(name) < 2 for name in weights) or any(x not in used for x in inputs):
        return False
    if not all(set(weights) & {p for p in part if isinstance(p, str)} for part in every[:-1]):
        return False
    return not any(_is_longwinded(inner) for inner in used)


def _is_longwinded(part: Part) -> bool:
    """Whether a sum has a term twice, or a product a factor, whatever their coefficients and powers."""
    operator = _operator(part)
    if operator is None or operator == "**":
        return False
    chain = SUM if operator in SUM else PRODUCT
    found = [_bare(term, chain) for term in _terms(part, chain)]
    return len(set(found)) < len(found)


def _terms(part: Part, chain: str) -> Iterator[Part]:
    operator = _operator(part)
    if isinstance(part, tuple) and operator is not None and operator in chain:
        for inner in part[1:]:
            yield from _terms(inner, chain)
    else:
        yield part


def _bare(term: Part, chain: str) -> Part:
    """A term of a sum without its coefficient, a factor without its power."""
    if isinstance(term, tuple):
        if chain == SUM and term[0] == "*" and isinstance(term[1], int):
            return term[2]
        if chain == PRODUCT and term[0] == "**":
            return term[1]
    return term


def _operator(part: Part) -> str | None:
    return str(part[0]) if isinstance(part, tuple) else None


def _text(part: Part) -> str:
    if not isinstance(part, tuple):
        return str(part)
    operator, *operands = part
    return f"({f' {operator} '.join(map(_text, operands))})"
