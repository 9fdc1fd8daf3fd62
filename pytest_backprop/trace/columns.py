"""A recording's ops on all points at once: a value of shape S is a tensor (*S, points), and what works element
by element works on that as it is.

What is neither pointwise nor a plain piece of data movement, and what writes to a tensor, is left to
`torch.vmap` (see `replay`), which takes all ops and costs several times as much for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from ..model import Arg, Items, Op, Recording, Ref, Symbol, Value
from .calls import constant
from .graph import fill_of, op_name
from .op_table import row_of

Made = dict[int, torch.Tensor]
"""By value: (*shape, points), or (*shape, 1) for what is the same at all points."""
Change = Callable[[int, torch.Tensor], torch.Tensor]
"""What a calculating op made, by its position, to something near it: (*shape, points), of the same shape and
dtype."""

SAME_ORDER = frozenset("view _unsafe_view reshape unsqueeze squeeze flatten".split())
"""Ops that give the elements of their operand in the same order, in another shape."""
SAME = frozenset("alias detach clone contiguous lift lift_fresh".split())
"""Ops whose result is their operand, where nothing is written to."""


class NotInColumns(Exception):
    """An op that does not work on all points at once as it is."""


class Columns:
    """The steps of a program: (position, op, what runs it) each. Raises NotInColumns."""

    def __init__(
        self,
        recording: Recording,
        steps: Iterable[tuple[int, Op, Callable[..., Any]]],
        wanted: Iterable[int],
    ) -> None:
        values = recording.values
        self._leaves = [(number, values[number]) for number in sorted(wanted)]
        self._steps: list[tuple[int, Op, Callable[[Made, torch.dtype], Any]]] = []
        dtypes = {value.dtype for _, value in self._leaves}
        for position, op, call in steps:
            if op.writes:
                raise NotInColumns(op.target)
            self._steps.append((position, op, _on_columns(op, call, values)))
            dtypes |= {values[v].dtype for v in op.outputs}
        floats = dtypes - {"bool", "int64"}
        # where there are several, it matters which operand has a dimension
        if len(floats) != 1 or not floats <= {"float32", "float64"}:
            raise NotInColumns(", ".join(sorted(floats)))
        self.dtype: torch.dtype = getattr(torch, *floats)
        self._values = values

    def run(
        self,
        weights: torch.Tensor,
        inputs: torch.Tensor,
        keep: Callable[[int, torch.Tensor], None] | None = None,
        change: Change | None = None,
        calculates: Callable[[int], bool] = lambda position: True,
    ) -> Made:
        """All values at `weights` (N, W) and `inputs` (N, X), which are of one floating dtype; all floats get it.

        `keep` is given what each op made, which `change` was applied to where the op `calculates`. Raises
        NotInColumns where a shape is not the one that was recorded, and what torch raises.
        """
        count, dtype = len(weights), weights.dtype
        sources = {"weight": weights.T.contiguous(), "input": inputs.T.contiguous()}
        made: Made = {}
        for number, value in self._leaves:
            if value.origin in sources:
                made[number] = _leaf(value, sources[value.origin])
            elif value.origin == "foreign":
                made[number] = _numbers(value, dtype)
        for position, op, run in self._steps:
            result = run(made, dtype)
            results = result if isinstance(result, list | tuple) else (result,)
            for number, tensor in zip(op.outputs, results, strict=True):
                if tensor.shape[:-1] != self._values[number].shape:
                    raise NotInColumns(op.target)
                if change is not None and tensor.is_floating_point() and calculates(position):
                    spread = tensor.expand(*tensor.shape[:-1], count)
                    tensor = change(position, spread)
                made[number] = tensor
            if keep is not None and op.outputs:
                keep(position, made[op.outputs[0]])
        return made


def _leaf(value: Value, source: torch.Tensor) -> torch.Tensor:
    if any(not 0 <= place < len(source) for place in value.leaf):
        raise NotInColumns("a leaf that is no weight or input")
    if not value.shape:
        return source[value.leaf[0]]
    return source[list(value.leaf)].reshape(*value.shape, source.shape[-1])


def _numbers(value: Value, dtype: torch.dtype) -> torch.Tensor:
    known = {"float32": dtype, "float64": dtype, "int64": torch.int64, "bool": torch.bool}
    return constant(value, known)[..., None]


def _on_columns(
    op: Op, call: Callable[..., Any], values: Sequence[Value]
) -> Callable[[Made, torch.dtype], Any]:
    """What an op makes of values that are there. Raises NotInColumns."""
    name = op_name(op)
    row = row_of(name)
    if not op.outputs:
        return lambda made, dtype: ()
    first = values[op.outputs[0]]
    shape = first.shape
    if op.target == "torch::constant":
        return lambda made, dtype: _numbers(first, dtype)
    if op.target == "torch::tensor":
        parts = op.args[0]
        return lambda made, dtype: _assembled(parts, made, dtype)
    number = fill_of(op) if row.scalar == "fill" else None
    if isinstance(number, int | float):
        filled = torch.full((*shape, 1), float(number), dtype=torch.float64)
        return lambda made, dtype: filled.to(dtype if first.dtype.startswith("float") else
                                             getattr(torch, first.dtype))  # fmt: skip
    if row.kind == "pointwise" and op.target.startswith("aten::"):
        return _pointwise(op, call)
    if not op.args or not op.target.startswith(("aten::", "torch::element")):
        raise NotInColumns(op.target)
    if name == "stack" and isinstance(op.args[0], Items):
        operands = tuple(item.value for item in op.args[0].items if isinstance(item, Ref))
        dim = _dimension(op, 1, len(shape))
        return lambda made, dtype: _stacked([made[v] for v in operands], dim)
    if not isinstance(op.args[0], Ref):
        raise NotInColumns(op.target)
    operand = op.args[0].value
    if values[operand].dtype != first.dtype and name != "_to_copy":
        raise NotInColumns(op.target)  # `t.view(torch.int64)` reads other numbers
    rank = len(values[operand].shape)
    if name == "element":
        place = op.args[1]
        if not isinstance(place, int):
            raise NotInColumns(op.target)
        return lambda made, dtype: made[operand].reshape(-1, made[operand].shape[-1])[place]
    if name in SAME_ORDER:
        return lambda made, dtype: made[operand].reshape(*shape, made[operand].shape[-1])
    if name in SAME:
        return lambda made, dtype: made[operand]
    if name == "_to_copy" and first.dtype.startswith("float"):
        return lambda made, dtype: made[operand].to(dtype)
    if name == "unbind":
        dim = _dimension(op, 1, rank)
        return lambda made, dtype: made[operand].unbind(dim)
    if name == "select" and len(op.args) == 3 and isinstance(index := op.args[2], int):
        dim = _dimension(op, 1, rank)
        return lambda made, dtype: made[operand].select(dim, index)
    raise NotInColumns(op.target)


def _dimension(op: Op, at: int, rank: int) -> int:
    """The dimension that an op is given, counted from the first. Raises NotInColumns."""
    dim = op.args[at] if len(op.args) > at else op.kwargs.get("dim", 0)
    if not isinstance(dim, int) or not -rank <= dim < rank:
        raise NotInColumns(op.target)
    return dim % rank


def _pointwise(op: Op, call: Callable[..., Any]) -> Callable[[Made, torch.dtype], Any]:
    given = [_plain(arg) for arg in op.args]
    kwargs = {key: _plain(arg) for key, arg in op.kwargs.items()}
    if any(isinstance(arg, Ref) for arg in kwargs.values()):
        raise NotInColumns(op.target)
    places = [(at, arg.value) for at, arg in enumerate(given) if isinstance(arg, Ref)]

    def run(made: Made, dtype: torch.dtype) -> Any:
        args = given.copy()
        for at, value in places:
            args[at] = made[value]
        return call(*args, **kwargs)

    return run


def _plain(arg: Arg) -> Any:
    """A tensor, a number or a word. Raises NotInColumns for anything else."""
    if isinstance(arg, Items | Symbol) or not (
        arg is None or isinstance(arg, Ref | bool | int | float | str)
    ):
        raise NotInColumns("an operand that is no number")
    return arg


def _stacked(parts: Sequence[torch.Tensor], dim: int) -> torch.Tensor:
    return torch.stack(torch.broadcast_tensors(*parts), dim)  # type: ignore[no-untyped-call]


def _assembled(parts: Arg, made: Made, dtype: torch.dtype) -> torch.Tensor:
    if isinstance(parts, Ref):
        return made[parts.value].to(dtype)
    if isinstance(parts, Items):
        return _stacked([_assembled(part, made, dtype) for part in parts.items], 0)
    if not isinstance(parts, bool | int | float):
        raise NotInColumns("what is put together is no number")
    return torch.full((1,), float(parts), dtype=dtype)
