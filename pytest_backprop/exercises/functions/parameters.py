"""The parameters of a typed function, by its annotations, and what a task's file says of them
beside: what integers are below, which plain values are tried, in which ranges numbers are drawn."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ...errors import UsageProblem
from .bank.library import assigned, read_constant
from .dimensions import WRITTEN, Sizes, names_of, read_dimensions, read_sizes, shape_of

ANNOTATION = re.compile(rf"(Float|Int|Bool)\[(?:torch\.)?Tensor, *(['\"])({WRITTEN})\2\]")
PLAIN = ("bool", "int", "float", "str", "dict", "list", "tuple", "None")
"""Annotations of what is no tensor; several of them with | between."""
NUMBERS = (0.1, 0.25, 0.01, 0.7, 0.3)
"""What a plain number may be of which nothing is said."""
MOST_VALUES = 32
"""Of one parameter that are tried."""
DTYPES = ("float32", "float64")

Kind = Literal["weight", "input"]
Interval = tuple[float, float]


class TypedLeaf(Struct, frozen=True):
    """A parameter of a task: `kind` `weight` or `input`, and its dimensions, in jaxtyping's
    grammar. `integer` or floats of a `dtype`, perhaps `positive`, as a logarithm needs, or drawn
    from one of its `ranges`, perhaps `written` to by the task itself; a mask is integers of the
    `dtype` bool. Or it is `plain`, no tensor: then `literals` are the values to try, as Python
    writes them; of a number there may be none."""

    name: str
    kind: Kind
    integer: bool
    dims: tuple[str | int, ...]
    plain: bool = False
    positive: bool = False
    dtype: str = "float32"
    literals: tuple[str, ...] = ()
    ranges: tuple[Interval, ...] = ()
    written: bool = False

    def shape(self, sizes: Sizes) -> tuple[int, ...]:
        """Its shape where the dimensions have these sizes."""
        return shape_of(self.dims, sizes)


class Parameters(Struct, frozen=True):
    """What a task's file says of its parameters. `below` bounds integers: a number, or the name of
    a dimension. `said` are the sizes of dimensions of which it says some."""

    leaves: tuple[TypedLeaf, ...]
    below: Mapping[str, str | int]
    said: Mapping[str, list[int]]

    @property
    def names(self) -> list[str]:
        """The names of all dimensions."""
        return names_of(dim for leaf in self.leaves for dim in leaf.dims)


def read_parameters(
    function: ast.FunctionDef, module: ast.Module, path: str, positional: Kind
) -> Parameters:
    """Those of a task's function. Raises UsageProblem."""
    leaves = read_leaves(function, path, positional, read_constant(module, "POSITIVE", ()))
    dtype = read_constant(module, "DTYPE", DTYPES[0] if assigned(module, "DTYPE") is None else None)
    if dtype not in DTYPES:
        raise UsageProblem(
            f"{path}: DTYPE = {_shown(module, 'DTYPE')} is no dtype that a course runs in",
            'Write DTYPE = "float64", or leave it out for float32.',
        )
    leaves = tuple(
        replace(leaf, dtype=dtype) if not (leaf.integer or leaf.plain) else leaf for leaf in leaves
    )
    leaves = _with_values(leaves, module, path)
    leaves = _with_ranges(leaves, module, path)
    below = bounds_of(module, leaves, path)
    names = names_of(dim for leaf in leaves for dim in leaf.dims)
    said = read_sizes(read_table(module, "SIZES", path, '{"n": (1, 16), "t": "8*"}'), names, path)
    return Parameters(leaves, below, said)


def read_leaves(
    function: ast.FunctionDef, path: str, positional: Kind = "input", positive: Sequence[str] = ()
) -> tuple[TypedLeaf, ...]:
    """The parameters of a typed function: what gradients are asked of is keyword-only, or
    `positional`; `positive` are the names of those whose numbers are.

    Raises UsageProblem for one without a type."""
    arguments = function.args
    if (
        arguments.posonlyargs
        or arguments.vararg
        or arguments.kwarg
        or arguments.defaults
        or any(arguments.kw_defaults)
    ):
        raise UsageProblem(
            f"{path}:{function.lineno}: {function.name} has *args, **kwargs or defaults",
            "Name every tensor: inputs first, then `*`, then the weights.",
        )
    leaves = []
    for argument in (*arguments.args, *arguments.kwonlyargs):
        name, kind = argument.arg, "weight" if argument in arguments.kwonlyargs else positional
        written = "" if argument.annotation is None else ast.unparse(argument.annotation)
        if written and set(written.split(" | ")) <= {*PLAIN}:
            leaves.append(TypedLeaf(name, "input", False, (), plain=True, dtype=written))
            continue
        match = ANNOTATION.fullmatch(written)
        integer = match is not None and match[1] != "Float"
        if integer and positional == "weight":
            kind = "input"
        if match is None or (integer and kind == "weight"):
            raise UsageProblem(
                f"{path}:{argument.lineno}: {name}: {written or 'no annotation'}",
                'Say its dimensions: Float[Tensor, "n d"], or Int[Tensor, "n"] for an input; or '
                f"that it is none, {', '.join(PLAIN)}.",
            )
        dims = read_dimensions(name, match[3], f"{path}:{argument.lineno}")
        dtype = "bool" if match[1] == "Bool" else DTYPES[0]
        is_positive = name in positive
        leaves.append(TypedLeaf(name, kind, integer, dims, positive=is_positive, dtype=dtype))
    return tuple(leaves)


def bounds_of(module: ast.Module, leaves: Sequence[TypedLeaf], path: str) -> dict[str, str | int]:
    """What the integers of leaves are below, by `BELOW`; those of a mask are 0 and 1. Raises
    UsageProblem where it does not say."""
    bounds = read_constant(module, "BELOW", {})
    below = bounds if isinstance(bounds, dict) else {}
    below |= {leaf.name: 2 for leaf in leaves if leaf.dtype == "bool" and leaf.integer}
    dims = {name for leaf in leaves for name in names_of(leaf.dims) if name.isidentifier()}
    for leaf in leaves:
        bound = below.get(leaf.name)
        if leaf.integer and not (bound in dims or (isinstance(bound, int) and bound > 0)):
            raise UsageProblem(
                f"{path}: the integers of {leaf.name} have no bound",
                f'Say how large they may be: BELOW = {{"{leaf.name}": "c"}}, a dimension or a '
                "number.",
            )
    return below


def read_table(module: ast.Module, name: str, path: str, example: str) -> dict[str, Any]:
    """A dict of plain data that a file gives a name at its top, empty where it gives none. Raises
    UsageProblem for anything else of that name."""
    table = read_constant(module, name, {} if assigned(module, name) is None else None)
    if not isinstance(table, dict) or not all(isinstance(key, str) for key in table):
        raise UsageProblem(
            f"{path}: {name} = {_shown(module, name)} is no dict of plain data by names",
            f"Write {name} = {example}.",
        )
    return table


def check_unsaid(module: ast.Module, path: str, *names: str) -> None:
    """Raises UsageProblem where a file says what means nothing in its exercise."""
    for name in names:
        if assigned(module, name) is not None:
            raise UsageProblem(
                f"{path}: {name} says nothing to this exercise, which has runs of its own",
                f"Leave {name} out.",
            )


def _shown(module: ast.Module, name: str) -> str:
    value = assigned(module, name)
    return "" if value is None else ast.unparse(value)[:80]


def _with_values(
    leaves: tuple[TypedLeaf, ...], module: ast.Module, path: str
) -> tuple[TypedLeaf, ...]:
    """The leaves, each that is plain with the values to try, by `VALUES`. Raises UsageProblem."""
    table = read_table(module, "VALUES", path, '{"is_causal": (False, True)}')
    plain = {leaf.name: leaf for leaf in leaves if leaf.plain}
    for name, values in table.items():
        if name not in plain:
            raise UsageProblem(
                f"{path}: VALUES has {name!r}, and no plain parameter has that name",
                f"Annotate it as what it is, {name}: bool, or leave it out of VALUES.",
            )
        if not isinstance(values, tuple | list) or not 0 < len(values) <= MOST_VALUES:
            raise UsageProblem(
                f"{path}: VALUES: {name} is {values!r}",
                f"Give 1 to {MOST_VALUES} values to try, in a tuple: ({values!r},)."
                if not isinstance(values, tuple | list)
                else f"Give 1 to {MOST_VALUES} values to try.",
            )
        for value in values:
            if not _is_of(value, plain[name].dtype):
                raise UsageProblem(
                    f"{path}: VALUES: {value!r} of {name} is no {plain[name].dtype}",
                    f"Give values of that type, or annotate {name} as it is, int | None.",
                )
    literals = {name: tuple(dict.fromkeys(map(repr, values))) for name, values in table.items()}
    for leaf in plain.values():
        if leaf.dtype == "None":
            literals.setdefault(leaf.name, ("None",))
        if leaf.dtype != "float" and leaf.name not in literals:
            raise UsageProblem(
                f"{path}: {leaf.name}: {leaf.dtype} has no values to try",
                f'Say which: VALUES = {{"{leaf.name}": (…, …)}}, plain data in a tuple.',
            )
    return tuple(replace(leaf, literals=literals.get(leaf.name, ())) for leaf in leaves)


def _is_of(value: Any, annotation: str) -> bool:
    """Whether a value is of one of the types of an annotation, and the same when it is written and
    read again."""
    type_ = "None" if value is None else type(value).__name__
    types = {*annotation.split(" | ")}
    try:
        is_same = bool(ast.literal_eval(repr(value)) == value)
    except ValueError:  # infinity
        return False
    return is_same and (type_ in types or (type_ == "int" and "float" in types))


def _with_ranges(
    leaves: tuple[TypedLeaf, ...], module: ast.Module, path: str
) -> tuple[TypedLeaf, ...]:
    """The leaves, each with the ranges of its numbers, by `RANGES`. Raises UsageProblem."""
    table = read_table(module, "RANGES", path, '{"w": ((-0.01, 0.01), (-3, 3))}')
    floats = {leaf.name for leaf in leaves if not leaf.integer and not leaf.plain}
    ranges = {}
    for name, entry in table.items():
        if name not in floats:
            raise UsageProblem(
                f"{path}: RANGES has {name!r}, and no float tensor has that name",
                f"The float tensors are {', '.join(sorted(floats))}.",
            )
        many = (entry,) if _is_interval(entry) else entry
        if not (isinstance(many, tuple | list) and many and all(map(_is_interval, many))):
            raise UsageProblem(
                f"{path}: RANGES: {name} is {entry!r}",
                "Give ranges with their ends, the lower first: ((-0.01, 0.01), (-3, 3)).",
            )
        ranges[name] = tuple((float(low), float(high)) for low, high in many)
    return tuple(replace(leaf, ranges=ranges.get(leaf.name, ())) for leaf in leaves)


def _is_interval(entry: Any) -> bool:
    """Whether it is two finite numbers, the first one lower."""
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and all(type(end) in (int, float) and math.isfinite(end) for end in entry)
        and entry[0] < entry[1]
    )
