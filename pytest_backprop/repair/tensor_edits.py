"""Single changes of one op on tensors: what students mistake, in the words of the field."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from ..model import Op
from ..trace.graph import op_name
from .tensor_bench import OpCall, Pool, Variant, arguments


class TensorEdit(NamedTuple):
    """A change. `cost` is how far it is from what stands there: 1 for what is easily mistyped."""

    kind: str
    cost: float
    variant: Variant


TWINS = (
    ("gt", "lt"),
    ("ge", "le"),
    ("eq", "ne"),
    ("add", "sub"),
    ("mul", "div"),
    ("maximum", "minimum"),
    ("amax", "amin"),
    ("sin", "cos"),
    ("exp", "log"),
    ("sqrt", "square"),
    ("sqrt", "rsqrt"),
    ("sigmoid", "tanh"),
    ("sigmoid", "relu"),
    ("tanh", "relu"),
    ("abs", "square"),
    ("_softmax", "_log_softmax"),
    ("sum", "mean"),
    ("std", "var"),
)
"""Functions and operators that are taken for each other."""
COMPARISONS = ("gt", "lt", "ge", "le", "eq", "ne")
PRODUCTS = ("mm", "bmm", "matmul", "mv", "addmm", "baddbmm", "dot")
REDUCTIONS = ("sum", "mean")
ARITHMETIC = ("add", "sub", "mul", "div", *COMPARISONS)
LEFT_OUT: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": torch.relu,
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "sqrt": torch.sqrt,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "neg": torch.neg,
}
"""Functions that are left out."""


def edits(op: Op, call: OpCall, result: Any, factors: Sequence[float]) -> Iterator[TensorEdit]:
    """The changes to try of an op that gave `result`. `factors` are numbers that a task of these
    sizes may be multiplied by."""
    yield from _of_operands(op, call)
    yield from _of_axes(op, call)
    if not isinstance(result, torch.Tensor):
        return
    yield from _of_operator(op, call)
    yield from _of_numbers(op, call, factors)
    if result.is_floating_point():
        yield from _of_result(op, call, result)


def _name(op: Op) -> str:
    return op_name(op).removesuffix("_")


# -- operands ------------------------------------------------------------------------------------


def _tensors(args: Sequence[Any]) -> Iterator[tuple[int, int | None, torch.Tensor]]:
    """The tensors among operands: each one's position, and its position in a list there."""
    for at, arg in enumerate(args):
        if isinstance(arg, torch.Tensor):
            yield at, None, arg
        elif isinstance(arg, list | tuple):
            for inner, part in enumerate(arg):
                if isinstance(part, torch.Tensor):
                    yield at, inner, part


def _put(args: Sequence[Any], at: int, inner: int | None, tensor: torch.Tensor) -> dict[str, Any]:
    if inner is None:
        return {f"_{at}": tensor}
    parts = list(args[at])
    parts[inner] = tensor
    return {f"_{at}": parts}


def _with(at: int, inner: int | None, other: Callable[[OpCall, torch.Tensor], Any]) -> Variant:
    """The op with one of its tensors made into another."""

    def variant(op: OpCall) -> Any:
        own = op.args[at] if inner is None else op.args[at][inner]
        return op.run(**_put(op.args, at, inner, other(op, own)))

    return variant


def _from_pool(key: Any) -> Callable[[OpCall, torch.Tensor], torch.Tensor]:
    return lambda op, own: op.pool[key].to(own.dtype) if own.is_floating_point() else op.pool[key]


def _mask_of(key: Any) -> Callable[[OpCall, torch.Tensor], torch.Tensor]:
    return lambda op, own: (op.pool[key] > 0).to(own.dtype)


def _restored(key: Any) -> Callable[[OpCall, torch.Tensor], torch.Tensor]:
    """The tensor as it was before it was written to; so it stays."""
    return lambda op, own: own.copy_(op.pool[key])


def _of_operands(op: Op, call: OpCall) -> Iterator[TensorEdit]:
    """Another value, or the same transposed, inverted or counted otherwise, in an operand's
    place."""
    name = _name(op)
    for at, inner, own in _tensors(call.args):
        if at == 0 and op.writes:
            continue  # what is written to
        if own.dtype == torch.bool:
            yield TensorEdit("mask", 1, _with(at, inner, lambda _, m: ~m))
        if not own.is_floating_point() and own.dtype != torch.bool:
            for step in (1, -1):
                yield TensorEdit("index", 1.2, _with(at, inner, _shifted(step)))
        if own.dim() >= 2 and (name in PRODUCTS or own.shape[-1] == own.shape[-2]):
            yield TensorEdit("transposed", 1, _with(at, inner, lambda _, t: t.mT))
        if name in ("mul", "where") and (own.dtype == torch.bool or at):
            for key, other in _readable(call.pool):
                if other.is_floating_point() and other.shape == own.shape:
                    yield TensorEdit("mask operand", 2, _with(at, inner, _mask_of(key)))
        if name in (*REDUCTIONS, *PRODUCTS) and own.is_floating_point():
            for function in LEFT_OUT.values():
                yield TensorEdit("function", 2.4, _with(at, inner, lambda _, t, f=function: f(t)))
            for key, other in _readable(call.pool):
                if other.is_floating_point() and other.shape == own.shape:
                    change = lambda o, t, k=key: t * o.pool[k]  # noqa: E731
                    yield TensorEdit("factor value", 2.6, _with(at, inner, change))
        for key, other in _others(call.pool, own, name in ARITHMETIC):
            kind = "mask operand" if name in COMPARISONS else "operand"
            if key[0] == "before" and _is_view_of(own, call.pool[key[1]]):
                kind = "in place"
            change = _restored(key) if kind == "in place" else _from_pool(key)
            yield TensorEdit(kind, 1.7, _with(at, inner, change))


def _shifted(step: int) -> Callable[[OpCall, torch.Tensor], torch.Tensor]:
    return lambda _, places: places + step


def _readable(pool: Pool) -> Iterator[tuple[Any, torch.Tensor]]:
    return ((key, t) for key, t in pool.items() if key[0] != "task")


def _others(
    pool: Pool, own: torch.Tensor, spreads: bool
) -> Iterator[tuple[Any, torch.Tensor]]:
    """What an operand could be instead: other numbers of its kind and shape, or, where the op
    `spreads` its operands, of one that its own is spread to; each once."""
    seen = [own]
    for key, tensor in _readable(pool):
        is_alike = tensor.is_floating_point() == own.is_floating_point() and (
            (tensor.dtype == torch.bool) == (own.dtype == torch.bool)
        )
        fits = tensor.shape == own.shape or (spreads and broadcasts(own.shape, tensor.shape))
        if is_alike and fits and not _is_among(tensor, seen):
            seen.append(tensor)
            yield key, tensor


def broadcasts(shape: Sequence[int], wider: Sequence[int]) -> bool:
    """Whether a tensor of this shape is spread to the wider one, as torch does."""
    ends = zip(reversed(shape), reversed(wider), strict=False)
    return len(shape) <= len(wider) and all(size in (1, other) for size, other in ends)


def _is_view_of(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    return tensor.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def _is_among(tensor: torch.Tensor, others: Iterable[torch.Tensor]) -> bool:
    return any(tensor.shape == other.shape and torch.equal(tensor, other) for other in others)


# -- operators -----------------------------------------------------------------------------------


def _of_operator(op: Op, call: OpCall) -> Iterator[TensorEdit]:
    """Another operator or function on the same operands, in the same order or the other."""
    name, args = _name(op), call.args
    binary = len(args) >= 2 and isinstance(args[0], torch.Tensor)
    for pair in TWINS:
        for own, other in (pair, pair[::-1]):
            if name == own:
                kind = "mask" if name in COMPARISONS else "operator" if binary else "function"
                yield TensorEdit(kind, 1.2, _called(other))
    if binary and name in ("sub", "div", "rsub") and isinstance(args[1], torch.Tensor | float | int):
        yield TensorEdit("order", 1, lambda o: o.call(torch.as_tensor(o.args[1]), o.args[0]))
    if binary and name in ("mm", "bmm", "matmul") and args[0].dim() == args[1].dim():
        yield TensorEdit("order", 1.2, lambda o: o.run(_0=o.args[1], _1=o.args[0]))
    if name == "where" and len(args) == 3:
        yield TensorEdit("mask", 1, lambda o: o.run(_1=o.args[2], _2=o.args[1]))
    if name == "copy" and op.writes:
        yield TensorEdit("overwritten", 1, lambda o: o.args[0] + o.args[1])
    if name == "index_put":
        yield TensorEdit("overwritten", 1, lambda o: o.run(accumulate=True) if len(o.args) < 4 else o.run(_3=True))
    if name.startswith("index") and len(args) > 1 and isinstance(args[1], list):
        yield from _of_places(args[1], call.pool)
    if name in ("index_copy", "scatter"):
        yield TensorEdit("overwritten", 1, _called(name.replace("copy", "add").replace("scatter", "scatter_add")))
    if name in ("add", "sub") and op.writes:
        yield TensorEdit("added twice", 1.5, lambda o: o.args[1] * torch.ones_like(o.args[0]))
    if name in ("add", "sub", "mul", "div") and binary:
        for at in (0, 1):
            if isinstance(args[at], torch.Tensor):
                yield TensorEdit("extra", 2.0, alone(at))


def _of_places(places: Sequence[Any], pool: Pool) -> Iterator[TensorEdit]:
    """Other places: integers that could have been read, or row by row where all rows are taken."""

    def put(at: int, other: Callable[[OpCall], torch.Tensor]) -> Variant:
        def variant(op: OpCall) -> Any:
            return op.run(_1=[other(op) if at == n else p for n, p in enumerate(op.args[1])])

        return variant

    for at, place in enumerate(places):
        if place is None:
            yield TensorEdit("index", 1.5, put(at, lambda o, at=at: torch.arange(o.args[0].shape[at])))
        elif place.dtype == torch.long:
            for key, other in _readable(pool):
                if other.dtype == torch.long and other.shape != place.shape:
                    yield TensorEdit("index", 1.5, put(at, lambda o, k=key: o.pool[k]))


def _called(name: str) -> Variant:
    def variant(op: OpCall) -> Any:
        args = op.args
        if name == "mean":
            return torch.ops.aten.mean(*args)
        return getattr(torch.ops.aten, name)(*args, **op.kwargs)

    return variant


def weighed(at: int, factor: float) -> Variant:
    """A sum or difference with one operand times a factor."""
    return lambda op: op.run(**{f"_{at}": op.args[at] * factor})


def alone(at: int) -> Variant:
    """One of two operands, spread to the shape of both."""

    def variant(op: OpCall) -> Any:
        shape = op.args[0].shape
        if isinstance(op.args[1], torch.Tensor):
            shape = torch.broadcast_shapes(shape, op.args[1].shape)
        return op.args[at].expand(shape).clone()

    return variant


# -- axes ----------------------------------------------------------------------------------------


def _of_axes(op: Op, call: OpCall) -> Iterator[TensorEdit]:
    """Along another axis, or several; the axis kept or not."""
    names, args = arguments(op), call.args
    values = {**dict(zip(names, args, strict=False)), **call.kwargs}
    operand = args[0] if args and isinstance(args[0], torch.Tensor) else None
    if operand is None or not operand.dim() or op.writes:
        return
    dims = operand.dim()

    def put(**changed: Any) -> Variant:
        def variant(o: OpCall) -> Any:
            own = {}
            for name, value in changed.items():
                at = names.index(name)
                own[f"_{at}" if at < len(o.args) else name] = value
            return o.run(**own)

        return variant

    keep = bool(values.get("keepdim", False))
    if "keepdim" in names and values.get("dim") is not None:
        yield TensorEdit("keepdim", 1, put(keepdim=not keep))
    name = _name(op)
    if name in ("sum", "mean") and "dim" not in names:
        for count in range(1, dims):
            for along in itertools.combinations(range(dims), count):
                for kept in (False, True):
                    yield TensorEdit("axis", 1.2, _along(name, along, kept))
    if "dim" not in values or values["dim"] is None:
        return
    own = values["dim"]
    if isinstance(own, int):
        for other in range(dims):
            if other != own % dims:
                yield TensorEdit("axis", 1, put(dim=other))
                if "keepdim" in names:
                    yield TensorEdit("axis", 1.3, put(dim=other, keepdim=not keep))
    elif isinstance(own, list | tuple) and name in ("sum", "mean", "amax", "amin", "logsumexp", "var", "std"):
        now = {d % dims for d in own} or {*range(dims)}
        for count in range(1, dims + 1):
            for along in itertools.combinations(range(dims), count):
                for kept in (keep, not keep):
                    if {*along} != now:
                        cost = 1 if kept == keep else 1.3
                        yield TensorEdit("axis", cost, put(dim=list(along), keepdim=kept))
        if name == "sum":
            yield TensorEdit("not summed", 1.5, lambda o: o.args[0])
    if "correction" in names or "unbiased" in names:
        yield TensorEdit("factor", 1, lambda o: torch.var(o.args[0], values["dim"], correction=1 - o.kwargs.get("correction", 1), keepdim=keep))


def _along(name: str, along: tuple[int, ...], keep: bool) -> Variant:
    return lambda o: getattr(torch.ops.aten, name)(o.args[0], along, keep)


# -- numbers -------------------------------------------------------------------------------------


def _of_numbers(op: Op, call: OpCall, factors: Sequence[float]) -> Iterator[TensorEdit]:
    """Another number where one stands."""
    name = _name(op)
    for at, arg in enumerate(call.args):
        if at and isinstance(arg, int | float) and not isinstance(arg, bool) and name in ("add", "sub", "pow", *COMPARISONS):
            own = {-arg, 0, arg + 1, arg - 1, 1, 2, 0.5, -0.5, -1, -2} | ({2 * arg, arg / 2} if arg else set())
            kind = "exponent" if name == "pow" else "number"
            for number in sorted(own - {arg}):
                yield TensorEdit(kind, 1.3, lambda o, at=at, number=number: o.run(**{f"_{at}": number}))
            for key, tensor in call.pool.items():
                if isinstance(key, str) and not tensor.dim():
                    yield TensorEdit(kind, 1.3, lambda o, at=at, key=key: o.run(**{f"_{at}": o.pool[key].item()}))
        if at and isinstance(arg, int) and not isinstance(arg, bool) and name in ("select", "diagonal", "triu", "tril"):
            for number in (arg + 1, arg - 1):
                yield TensorEdit("index", 1.5, lambda o, at=at, d=number - arg: o.run(**{f"_{at}": o.args[at] + d}))


# -- the result ----------------------------------------------------------------------------------


def _of_result(op: Op, call: OpCall, result: torch.Tensor) -> Iterator[TensorEdit]:
    """The result, and a term, a factor, a function or a sum that is missing."""
    name = _name(op)
    if name in ("view", "reshape", "_unsafe_view", "clone") and call.args[0].dim() >= 2:
        yield TensorEdit("transposed", 1, lambda o: o.args[0].mT.reshape(result.shape))
    if name in ("t", "transpose", "permute") and result.shape == call.args[0].shape:
        yield TensorEdit("transposed", 1, lambda o: o.args[0])
    if name in LEFT_OUT:
        yield TensorEdit("extra function", 1.5, lambda o: o.args[0])
        for own, function in LEFT_OUT.items():
            if own != name:
                yield TensorEdit("function", 1.8, lambda o, f=function: f(o.args[0]))
        for d in range(result.dim()):
            yield TensorEdit("function", 1.8, lambda o, d=d: torch.softmax(o.args[0], d))
    seen: list[torch.Tensor] = []
    for key, other in _readable(call.pool):
        fits = broadcasts(other.shape, result.shape) or broadcasts(result.shape, other.shape)
        is_number = other.is_floating_point() or other.dtype == torch.bool
        if not fits or not is_number or _is_among(other, seen):
            continue
        seen.append(other)
        if other.is_floating_point():
            yield TensorEdit("mask left out", 2.3, lambda o, k=key: o.run() * (o.pool[k] > 0))
            for sign in (1, -1):
                yield TensorEdit("term", 2.5, lambda o, k=key, s=sign: o.run() + s * o.pool[k])
            yield TensorEdit("factor value", 3.0, lambda o, k=key: o.run() / o.pool[k])
        yield TensorEdit("factor value", 2.5, lambda o, k=key: o.run() * o.pool[k])
    for own, function in LEFT_OUT.items():
        if own != name:
            yield TensorEdit("function", 2.6, lambda o, f=function: f(o.run()))
    for d in range(result.dim()):
        yield TensorEdit("function", 2.6, lambda o, d=d: torch.softmax(o.run(), d))
        for keep in (False, True):
            yield TensorEdit("not summed", 2.3, lambda o, d=d, k=keep: o.run().sum(d, k))
            yield TensorEdit("not summed", 2.4, lambda o, d=d, k=keep: o.run().mean(d, k))
