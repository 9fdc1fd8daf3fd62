"""The dimensions of a task's tensors, in jaxtyping's grammar, and how large they are at each draw.

A dimension is a number, a name, a sum or product of such (`2*n`, `n+1`), `_` for any size, or
`*batch` for none to two of them. `SIZES` says which sizes a name has: a number; a pair, a range
with its ends; three or more, a choice; `"8*"`, a multiple of 8."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any

from ...errors import UsageProblem

USUAL = range(2, 9)
"""What a dimension may be of which nothing is said; in some of the draws it is 1."""
BATCH = range(2, 4)
"""The same of those that `*batch` stands for."""
MULTIPLES = range(1, 5)
"""How many times its tile a dimension may be."""
FEW_NUMBERS = 64
"""Of all leaves of one kind together, where sizes are drawn and so few are possible."""
TRIES = 2000
"""To find sizes at which there are no more."""
FEW_TRIES = 4
"""The same where a task says some sizes: real ones have more."""
UNEQUAL_TRIES = 50
"""To find sizes that differ, also of what `SIZES` says."""
MOST = 1_000_000

WRITTEN = r"[\w +*/.#=-]*"
"""What may stand between the quotes of an annotation, to be looked at."""
OPERATORS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}

Size = int | tuple[int, ...]
Sizes = Mapping[str, Size]
"""Of each name; of one with a star several."""


def read_dimensions(name: str, written: str, place: str) -> tuple[str | int, ...]:
    """The dimensions of a parameter: numbers, names, expressions, and of `_` a name of its own.
    Raises UsageProblem."""
    parts, dims = written.split(), list[str | int]()
    for at, part in enumerate(parts):
        if part == "_":
            # behind a star places are counted from the end
            starred = any(str(dim).startswith("*") for dim in dims)
            dims.append(f"{name}.shape[{at - len(parts) if starred else at}]")
        elif part.isdecimal():
            dims.append(int(part))
        elif part.removeprefix("*").isidentifier() or _is_expression(part):
            dims.append(part)
        else:
            raise UsageProblem(
                f"{place}: {name}: there is no dimension {part!r}",
                "Write a number, a name, 2*n, n+1, _ for any size, or *batch for none to two "
                "dimensions.",
            )
    if sum(str(dim).startswith("*") for dim in dims) > 1:
        raise UsageProblem(
            f"{place}: {name}: {written!r} has two dimensions with a star",
            'Leave one open, "*batch n d", and name the others.',
        )
    return tuple(dims)


def _is_expression(part: str) -> bool:
    """Whether it is a sum or product of numbers and names."""
    try:
        tree = ast.parse(part, mode="eval").body
    except SyntaxError:
        return False
    return all(
        isinstance(node, ast.Name | ast.Load)
        or (isinstance(node, ast.Constant) and type(node.value) is int)
        or (isinstance(node, ast.BinOp) and type(node.op) in OPERATORS)
        or type(node) in OPERATORS
        for node in ast.walk(tree)
    )


def is_simple(dim: str | int) -> bool:
    """Whether it is a number or a name, and no more."""
    return isinstance(dim, int) or re.fullmatch(r"\w+", dim) is not None


def names_of(dims: Iterable[str | int]) -> list[str]:
    """The names in dimensions, in their order; that of `*batch` with its star."""
    names: dict[str, None] = {}
    for dim in map(str, dims):
        is_whole = dim.startswith("*") or "[" in dim
        names |= dict.fromkeys([dim] if is_whole else re.findall(r"[^\W\d]\w*", dim))
    return list(names)


def shape_of(dims: Iterable[str | int], sizes: Sizes) -> tuple[int, ...]:
    """What dimensions are at some sizes. Raises ValueError for one that is none."""
    shape: list[int] = []
    for dim in dims:
        size = dim if isinstance(dim, int) else sizes.get(dim)
        shape += size if isinstance(size, tuple) else [_worked_out(str(dim), sizes, size)]
    return tuple(shape)


def _worked_out(dim: str, sizes: Sizes, size: int | None) -> int:
    """A size, of an expression if it is none yet."""
    if size is not None:
        return size
    size = _evaluated(ast.parse(dim, mode="eval").body, sizes)
    if not 0 < size <= MOST:
        raise ValueError(f"the dimension {dim} is {size}")
    return size


def _evaluated(node: ast.expr, sizes: Sizes) -> int:
    if isinstance(node, ast.BinOp):
        left, right = (_evaluated(side, sizes) for side in (node.left, node.right))
        return OPERATORS[type(node.op)](left, right)
    size = sizes[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)
    assert isinstance(size, int)
    return size


# -- SIZES ----------------------------------------------------------------------------------------


def read_sizes(table: Mapping[str, Any], names: Collection[str], path: str) -> dict[str, list[int]]:
    """What the dimensions may be of which `SIZES` says it, in order. Raises UsageProblem."""
    plain = {name.lstrip("*"): name for name in names}
    said = {}
    for name, entry in table.items():
        if name not in plain:
            raise UsageProblem(
                f"{path}: SIZES has {name!r}, and no dimension has that name",
                f"The dimensions are {', '.join(plain) or 'all numbers'}.",
            )
        sizes = _choices(entry)
        if not sizes or not all(type(size) is int and 0 < size <= MOST for size in sizes):
            raise UsageProblem(
                f"{path}: SIZES: {name} is {entry!r}",
                "Give a number, 4; a range with its ends, (1, 16); a choice of three or more, "
                '(2, 4, 8); or multiples of a number, "8*".',
            )
        said[plain[name]] = sizes
    return said


def _choices(entry: Any) -> list[Any]:
    """The sizes that an entry stands for, in order; none for one that is none."""
    if isinstance(entry, str):
        tile = re.fullmatch(r"(\d{1,6})\*", entry)
        return [int(tile[1]) * times for times in MULTIPLES] if tile else []
    if not isinstance(entry, tuple | list):
        return [entry]
    if len(entry) == 2 and all(type(end) is int for end in entry):
        least, most = entry
        return list(range(least, min(most, MOST) + 1))
    return sorted(entry) if all(type(size) is int for size in entry) else []


# -- draws ----------------------------------------------------------------------------------------


def drawn_sizes(
    dims: Collection[str | int],
    said: Mapping[str, list[int]],
    bounds: Collection[str],
    draw: int,
    random: Random,
    key: str,
    count: Callable[[Sizes], int],
    narrow: bool,
    first: Sizes | None = None,
) -> Sizes:
    """Those of one of the draws: at the first all that `dims` are, numbers and sums among them,
    differ as far as they can, at the second all are as small as they can be, though `bounds`,
    which integers are below, are 2. At the third, which is given those of the `first`, they are in
    the opposite order, and larger if they can: of any two each is the smaller once. At a `narrow`
    one some dimension is as small as it can be; at no other is any 1 that may be more. What
    `SIZES` does not say is drawn so that `count` gives few numbers."""
    names = sorted(names_of(dims))
    apart = {name for name in names if name.startswith("*")} | said.keys()
    free = [name for name in names if name not in apart]
    fixed = _said_sizes(sorted(apart), said, bounds, draw, Random(f"{key}:{draw}"), narrow)
    taken = shape_of(fixed, fixed)
    if draw == 1:  # of one class there is nothing to tell
        return fixed | {name: 2 if name in bounds else 1 for name in free}
    if first is not None:
        own = {name: size for name in free if isinstance(size := first[name], int)}
        ordered = sorted(own, key=own.__getitem__)
        opposite = dict(zip(ordered, ordered[::-1], strict=True))
        turned = {name: own[opposite[name]] for name in own}
        larger = {name: size + 1 for name, size in turned.items()}
        return fixed | (larger if count(fixed | larger) <= FEW_NUMBERS else turned)

    def one_try() -> Sizes:
        order = random.sample(USUAL, len(USUAL)) if draw == 0 else random.choices(USUAL, k=14)
        order.sort(key=taken.__contains__)  # those that others have come last
        sizes: dict[str, Size] = dict(zip(free, order * 2, strict=False))
        if free and narrow:
            sizes[random.choice(free)] = 1
        return fixed | sizes

    best: Sizes = fixed
    least = math.inf
    for _ in range(FEW_TRIES if said else TRIES):
        sizes = one_try()
        numbers = count(sizes) if free else 0
        if numbers < least:
            best, least = sizes, numbers
        if least <= FEW_NUMBERS:
            break
    if draw or not (equal := _equal(dims, best)):
        return best
    others = [one_try() for _ in range(UNEQUAL_TRIES)]
    others.sort(key=lambda sizes: (_equal(dims, sizes), sum(shape_of(sizes, sizes))))
    for sizes in others[:FEW_TRIES]:
        is_bounded = said or least > FEW_NUMBERS or count(sizes) <= FEW_NUMBERS
        if is_bounded and _equal(dims, sizes) < equal:
            return sizes
    return best


def _equal(dims: Collection[str | int], sizes: Sizes) -> int:
    """How many of different dimensions are as large as another."""
    try:
        shape = shape_of(dims, sizes)
    except (ValueError, ArithmeticError):  # is told when a draw is made
        return 0
    return len(shape) - len({*shape})


def _said_sizes(
    names: list[str],
    said: Mapping[str, list[int]],
    bounds: Collection[str],
    draw: int,
    random: Random,
    narrow: bool,
) -> dict[str, Size]:
    """The sizes of what `SIZES` says, and of what has a star."""
    sizes: dict[str, Size] = {}
    for _ in range(UNEQUAL_TRIES):
        for name in names:
            choices = said.get(name, BATCH)
            if name.startswith("*"):
                dims = (1, 0, 2)[draw % 3]
                sizes[name] = tuple(random.choice(choices) for _ in range(dims))
            elif draw == 1:
                enough = [size for size in choices if name not in bounds or size > 1]
                sizes[name] = (enough or list(choices))[0]
            else:
                sizes[name] = random.choice([s for s in choices if s > 1] or list(choices))
        moving = [own for name, own in sizes.items() if not draw or len(said.get(name, BATCH)) > 1]
        if draw == 1 or len({*moving}) == len(moving):
            break
    if narrow and (plain := [name for name in names if not name.startswith("*")]):
        name = random.choice(plain)
        sizes[name] = said[name][0]
    return sizes
