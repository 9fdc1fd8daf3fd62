"""Single changes of one op on tensors: what students mistake, in the words of the field."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from ..model import Op
from ..trace.graph import op_name
from .tensor_changes import (
    Change,
    OpCall,
    Pool,
    Variant,
    after,
    alone,
    as_long,
    as_long_before,
    by,
    called,
    changed,
    changed_function,
    from_pool,
    instead,
    is_view_of,
    joined,
    joined_number,
    mask_of,
    masked_by,
    out_of_place,
    outer,
    reordered,
    restored,
    sizes_of,
    swapped,
    times_derivative,
    times_rest,
    times_same_place,
    times_sum,
    with_column,
    with_sum,
)
from .tensor_expressions import arguments


class TensorEdit(NamedTuple):
    """A change. `cost` is how far it is from what stands there: 1 for what is easily mistyped.
    `since` is the round of a loop from which on it changes something."""

    kind: str
    cost: float
    variant: Variant
    since: int = 0


TWINS = (
    ("gt", "lt"),
    ("ge", "le"),
    ("eq", "ne"),
    ("add", "sub"),
    ("mul", "div"),
    ("maximum", "minimum"),
    ("amax", "amin"),
    ("_softmax", "_log_softmax"),
    ("sum", "mean"),
    ("std", "var"),
    ("index_copy", "index_add"),
    ("scatter", "scatter_add"),
)
"""Functions and operators that are taken for each other."""
COMPARISONS = ("gt", "lt", "ge", "le", "eq", "ne")
PRODUCTS = ("mm", "bmm", "matmul", "mv", "addmm", "baddbmm", "dot")
JOINING = ("add", "sub", "mul", "div")
COUNTING = ("mul", "div", "floor_divide", "remainder")
REDUCTIONS = ("sum", "mean", "amax", "amin", "logsumexp", "var", "std")
PICKING = ("index", "index_select", "gather")
"""What takes some of a tensor's numbers; so it may of one of another shape."""
RESHAPING = ("view", "reshape", "_unsafe_view")
NUMBERED = ("add", "sub", "pow", *COMPARISONS)
FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": torch.relu,
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "sin": torch.sin,
    "cos": torch.cos,
    "neg": torch.neg,
}
"""Functions that are left out, or taken for each other."""


def edits(op: Op, call: OpCall, result: Any) -> Iterator[TensorEdit]:
    """The changes to try of an op that gave `result`."""
    name = op_name(op).removesuffix("_")
    yield from _of_operands(op, name, call)
    yield from _of_axes(op, name, call)
    if not isinstance(result, torch.Tensor):
        return
    yield from _of_operator(op, name, call)
    yield from _of_numbers(name, call)
    if result.is_floating_point():
        yield from _of_result(name, call, result)


# -- what could have been read -------------------------------------------------------------------


def _floats(pool: Pool, shape: torch.Size) -> Iterator[Any]:
    return (k for k, t in pool.items() if t.is_floating_point() and t.shape == shape)


def _others(
    pool: Pool, own: torch.Tensor, spreads: bool, is_any: bool, is_real: bool
) -> Iterator[Any]:
    """What an operand could be instead: other numbers of its kind and shape, or, where the op
    `spreads` its operands, of one that its own is spread to; or of any shape. Where an op takes
    numbers of any kind (`is_real`), so does this: labels may stand for scores, as in `y.sum()`."""
    for key, tensor in pool.items():
        shapes = own.shape, tensor.shape
        is_spread = spreads and (broadcasts(*shapes) or broadcasts(*reversed(shapes)))
        fits = tensor.shape == own.shape or (is_any and tensor.dim() > 0) or is_spread
        # two that are the same at one point may differ at another, as `z` and `relu(z)` do
        if fits and (is_real or _kind(tensor) == _kind(own)) and not is_among(tensor, [own]):
            yield key


def _kind(tensor: torch.Tensor) -> tuple[bool, bool]:
    return tensor.is_floating_point(), tensor.dtype == torch.bool


def broadcasts(shape: Sequence[int], wider: Sequence[int]) -> bool:
    """Whether a tensor of this shape is spread to the wider one, as torch does."""
    ends = zip(reversed(shape), reversed(wider), strict=False)
    return len(shape) <= len(wider) and all(size in (1, other) for size, other in ends)


def _has_axis(tensor: torch.Tensor, other: torch.Tensor, dim: int) -> bool:
    return tensor.dim() > dim and tensor.shape[dim] == other.shape[dim]


def is_among(tensor: torch.Tensor, others: Iterable[torch.Tensor]) -> bool:
    """Whether there is the same tensor."""
    return any(tensor.shape == other.shape and torch.equal(tensor, other) for other in others)


# -- operands ------------------------------------------------------------------------------------


def _tensors(args: Sequence[Any]) -> Iterator[tuple[int, int | None, torch.Tensor]]:
    """The tensors among operands: each one's position, and its position in a list there."""
    for at, arg in enumerate(args):
        for inner, part in enumerate(arg) if isinstance(arg, list | tuple) else [(None, arg)]:
            if isinstance(part, torch.Tensor):
                yield at, inner, part


def _of_operands(op: Op, name: str, call: OpCall) -> Iterator[TensorEdit]:
    """Another value in the place of an operand, or the same transposed, inverted or counted
    otherwise."""
    for at, inner, own in _tensors(call.args):
        if at == 0 and op.writes:
            continue  # what is written to
        put = functools.partial(changed, at, inner)
        is_float, is_mask = _kind(own)
        if is_mask:
            yield TensorEdit("mask", 1, put(by(torch.logical_not)))
        elif not is_float:
            for step in (1, -1):
                yield TensorEdit("index", 1.2, put(by(functools.partial(operator.add, step))))
            for size in sizes_of(call.pool) if name in ("add", "sub") else ():
                yield TensorEdit("factor", 2.0, put(by(functools.partial(operator.mul, size))))
        if own.dim() and name in COMPARISONS:
            yield TensorEdit("axis", 1.5, put(by(lambda tensor: tensor[..., None])))
        if own.dim() >= 2 and (name in PRODUCTS or own.shape[-1] == own.shape[-2]):
            yield TensorEdit("transposed", 1, put(by(lambda tensor: tensor.mT)))
        if name in ("mul", "where") and (is_mask or at):
            for key in _floats(call.pool, own.shape):
                yield TensorEdit("mask operand", 2, put(mask_of(key)))
        if is_float and name in (*REDUCTIONS, *PRODUCTS, *JOINING, "rsub"):
            for own_name, function in FUNCTIONS.items():
                kind = "sign" if own_name == "neg" else "function"
                yield TensorEdit(kind, 2.4, put(by(function)))
        if is_float and (name in REDUCTIONS or name in PRODUCTS):
            for key in _floats(call.pool, own.shape):
                yield TensorEdit("factor value", 2.6, put(joined(operator.mul, key)))
                yield TensorEdit("factor value", 2.7, put(times_derivative(key)))
        if is_float and name in (*JOINING, "rsub"):
            yield TensorEdit("exponent", 1.7, put(by(torch.square)))
        if is_float and name in JOINING:
            for key, tensor in call.pool.items():
                is_part = broadcasts(tensor.shape, own.shape) and tensor.numel() < own.numel()
                if tensor.is_floating_point() and (tensor.dim() <= 2 or is_part):
                    yield TensorEdit("factor value", 2.6, put(joined(operator.mul, key)))
                    if tensor.shape == own.shape and own.dim():
                        yield TensorEdit("factor value", 2.8, put(times_sum(key)))
                    if own.dim() == tensor.dim() == 1 and op.writes:
                        yield TensorEdit("factor value", 2.8, put(outer(key)))
            for dim in range(own.dim()):
                for reduced in (torch.mean, torch.sum):
                    along = functools.partial(reduced, dim=dim, keepdim=True)
                    yield TensorEdit("not summed", 2.9, put(by(along)))
        spreads = name in (*JOINING, *COMPARISONS, "addcdiv", "addcmul")
        is_any = name in (*REDUCTIONS, *PICKING, *RESHAPING) or at == len(call.args) - 1 == 0
        is_real = spreads or name in REDUCTIONS
        for key in _others(call.pool, own, spreads, is_any, is_real):
            if key[0] == "before" and is_view_of(own, call.pool[key[1]]):
                yield TensorEdit("in place", 1.7, put(restored(key)))
            else:
                kind = "mask operand" if name in COMPARISONS else "operand"
                cost = 1.7 if is_float or is_mask else 2.1  # places are easily alike
                yield TensorEdit(kind, cost, put(from_pool(key)))
    if name.startswith("index") and len(call.args) > 1 and isinstance(call.args[1], list):
        yield from _of_places(call)


def _of_places(call: OpCall) -> Iterator[TensorEdit]:
    """Other places: integers that could have been read, or row by row where all rows are taken."""
    for at, place in enumerate(call.args[1]):
        if place is None:
            rows = torch.arange(call.args[0].shape[at])
            yield TensorEdit("index", 1.5, changed(1, at, lambda *_, rows=rows: rows))
        elif place.dtype == torch.long:
            for key, other in call.pool.items():
                if other.dtype == torch.long and other.shape != place.shape:
                    yield TensorEdit("index", 1.5, changed(1, at, from_pool(key)))


# -- operators and numbers -----------------------------------------------------------------------


def _of_operator(op: Op, name: str, call: OpCall) -> Iterator[TensorEdit]:
    """Another operator or function on the same operands, in the same order or the other."""
    args = call.args
    for own, other in itertools.chain(TWINS, (pair[::-1] for pair in TWINS)):
        if name == own:
            kind = "mask" if name in COMPARISONS else "operator"
            kind = "overwritten" if name in ("index_copy", "scatter") else kind
            yield TensorEdit(kind, 1.2, called(other))
    if name in ("sub", "div", "rsub"):
        yield TensorEdit("order", 1, lambda o: o.call(torch.as_tensor(o.args[1]), o.args[0]))
    if name in ("mm", "bmm", "matmul") and args[0].dim() == args[1].dim():
        yield TensorEdit("order", 1.2, lambda o: o.run(_0=o.args[1], _1=o.args[0]))
    if name in ("cat", "stack"):
        for at, after_it in itertools.combinations(range(len(args[0])), 2):
            yield TensorEdit("order", 1.2, functools.partial(swapped, at=at, other=after_it))
    if name == "where" and len(args) == 3:
        yield TensorEdit("mask", 1, lambda o: o.run(_1=o.args[2], _2=o.args[1]))
    if name == "copy" and op.writes:
        yield TensorEdit("overwritten", 1, lambda o: o.args[0] + o.args[1])
    if name == "index_put" and len(args) == 3:
        yield TensorEdit("overwritten", 1, lambda o: o.run(accumulate=True))
    if op.writes and name in (*JOINING, *FUNCTIONS) and isinstance(call.args[0], torch.Tensor):
        yield TensorEdit("in place", 1.2, out_of_place)
    if name in JOINING:
        for at, arg in enumerate(args[:2]):
            if isinstance(arg, torch.Tensor):
                kind = "twice" if at and op.writes else "extra"
                yield TensorEdit(kind, 1.5 if kind == "twice" else 2.0, alone(at))
    if name in FUNCTIONS:
        yield TensorEdit("sign" if name == "neg" else "function", 1.5, lambda o: o.args[0])
        for other_name, function in FUNCTIONS.items():
            if other_name != name:
                yield TensorEdit("function", 1.8, changed_function(function))
        for dim in range(args[0].dim()):
            softmax = functools.partial(torch.softmax, dim=dim)
            yield TensorEdit("function", 2.5, changed_function(softmax))


def _of_numbers(name: str, call: OpCall) -> Iterator[TensorEdit]:
    """Another number where one stands, or the next place."""
    for at, number in enumerate(call.args):
        if not at or isinstance(number, bool) or not isinstance(number, int | float):
            continue
        others: set[float] = set()
        if name in NUMBERED:
            others = {-number, 0, number + 1, number - 1, 1, 2, 0.5, -0.5, -1, -2, 2 * number}
            others |= {t.item() for k, t in call.pool.items() if isinstance(k, str) and not t.dim()}
        elif name in COUNTING and not call.args[0].is_floating_point():
            others = sizes_of(call.pool)  # by which places are counted
        kind = "exponent" if name == "pow" else "number"
        if name in JOINING:
            for key, tensor in call.pool.items():
                if tensor.is_floating_point() and broadcasts(tensor.shape, call.args[0].shape):
                    yield TensorEdit("factor value", 2.5, changed(at, None, joined_number(key)))
        if name in ("add", "sub"):
            yield TensorEdit("sign", 1.3, changed(0, None, by(torch.neg)))
        for other in sorted(others - {number}):
            yield TensorEdit(kind, 1.3, changed(at, None, instead(other)))
        if name in ("select", "diagonal", "triu", "tril"):
            for step in (1, -1):
                next_one = by(functools.partial(operator.add, step))
                yield TensorEdit("index", 1.5, changed(at, None, next_one))
            yield TensorEdit("index", 1.5, changed(at, None, by(operator.neg)))
    if name == "slice" and len(call.args) == 4:
        for length in range(1, call.args[0].shape[call.args[1]] + 1):
            yield TensorEdit("index", 1.5, as_long(length))
            yield TensorEdit("index", 1.5, as_long_before(length))


# -- axes ----------------------------------------------------------------------------------------


def _of_axes(op: Op, name: str, call: OpCall) -> Iterator[TensorEdit]:
    """Along another axis, or several; the axis kept or not."""
    names, args = arguments(op), call.args
    own = {**dict(zip(names, args, strict=False)), **call.kwargs}
    if not args or not isinstance(args[0], torch.Tensor) or not args[0].dim() or op.writes:
        return
    dims, keep = args[0].dim(), bool(own.get("keepdim", False))
    now = own.get("dim")
    subsets = [s for n in range(1, dims + 1) for s in itertools.combinations(range(dims), n)]

    def put(**others: Any) -> Variant:
        places = {n: f"_{names.index(n)}" if names.index(n) < len(args) else n for n in others}
        return lambda o: o.run(**{places[name]: value for name, value in others.items()})

    if "keepdim" in names and now is not None:
        yield TensorEdit("keepdim", 1, put(keepdim=not keep))
    if name in ("sum", "mean") and "dim" not in names:
        reduced = getattr(torch, name)
        for along, kept in itertools.product(subsets, (False, True)):
            on_axes = functools.partial(reduced, dim=along, keepdim=kept)
            yield TensorEdit("axis", 1.2, changed_function(on_axes))
    elif isinstance(now, int):
        for other in {*range(dims)} - {now % dims}:
            yield TensorEdit("axis", 1, put(dim=other))
            if "keepdim" in names:
                yield TensorEdit("axis", 1.3, put(dim=other, keepdim=not keep))
    elif isinstance(now, list | tuple) and name in REDUCTIONS:
        for along, kept in itertools.product(subsets, (keep, not keep)):
            if {*along} != ({dim % dims for dim in now} or {*range(dims)}):
                yield TensorEdit("axis", 1 + 0.3 * (kept != keep), put(dim=[*along], keepdim=kept))
        if name == "sum":
            yield TensorEdit("axis", 1.5, lambda o: o.args[0])


# -- the result ----------------------------------------------------------------------------------


def _of_result(name: str, call: OpCall, result: torch.Tensor) -> Iterator[TensorEdit]:
    """The result with its axes in another order, and what it lacks."""
    if name in (*RESHAPING, "clone") and call.args[0].dim() >= 2:
        for order in itertools.permutations(range(call.args[0].dim())):
            put = functools.partial(reordered, order=order, shape=result.shape)
            yield TensorEdit("transposed", 1, changed_function(put))
    if name in ("t", "transpose", "permute") and result.shape == call.args[0].shape:
        yield TensorEdit("transposed", 1, lambda o: o.args[0])
    for key, other in call.pool.items() if name == "select" else ():
        if _kind(other)[0] and _has_axis(other, call.args[0], call.args[1]):
            yield TensorEdit("factor value", 2.5, after(times_same_place(key)))
    yield from lacking(call.pool, result, after, name)


def lacking(
    pool: Pool, own: torch.Tensor, put: Callable[[Change], Variant], name: str = ""
) -> Iterator[TensorEdit]:
    """A term, a factor, a function or a sum that a tensor lacks, which an op of that name gave, or
    is read."""
    for key, other in pool.items():
        fits = broadcasts(other.shape, own.shape) or broadcasts(own.shape, other.shape)
        is_float, is_mask = _kind(other)
        if other.dim() == 1 and own.dim() == 2 and len(own) in (1, len(other)) != (1, 1):
            yield TensorEdit("factor value", 2.6, put(with_column(operator.mul, key)))
            if is_float:
                yield TensorEdit("term", 2.6, put(with_column(operator.add, key)))
                yield TensorEdit("term", 2.6, put(with_column(operator.sub, key)))
        if is_float and other.shape[:-1] == own.shape and other.dim() > own.dim() > 0:
            yield TensorEdit("term", 2.6, put(with_sum(key)))
        if not fits or not (is_float or is_mask):
            continue
        yield TensorEdit("factor value", 2.5, put(joined(operator.mul, key)))
        if is_float:
            yield TensorEdit("factor value", 2.6, put(times_rest(key)))
            yield TensorEdit("factor value", 2.6, put(times_derivative(key)))
            yield TensorEdit("term", 2.5, put(joined(operator.add, key)))
            yield TensorEdit("term", 2.5, put(joined(operator.sub, key)))
            yield TensorEdit("mask left out", 2.3, put(masked_by(key)))
            yield TensorEdit("factor value", 3.0, put(joined(operator.truediv, key)))
    for other_name, function in FUNCTIONS.items():
        if other_name != name:
            yield TensorEdit("function", 2.6, put(by(function)))
    for dim in range(own.dim()):
        yield TensorEdit("function", 2.6, put(by(functools.partial(torch.softmax, dim=dim))))
        for keep in (False, True):
            total = functools.partial(torch.sum, dim=dim, keepdim=keep)
            mean = functools.partial(torch.mean, dim=dim, keepdim=keep)
            yield TensorEdit("not summed", 2.3, put(by(total)))
            yield TensorEdit("not summed", 2.4, put(by(mean)))
