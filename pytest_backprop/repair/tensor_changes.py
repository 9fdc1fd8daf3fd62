"""Other results of an op on tensors: its operands, or what it gives, made into something else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import torch

from ..model import Op, Ref, Span

Key = tuple[Span | None, str, int]
"""An expression, the op there, and which of several of the same name it is. A loop runs it more
than once."""
Pool = dict[Any, torch.Tensor]
"""What a student could have read at some time: by its key the latest value of each expression, or
of a part of what it gives, what it was before it was written to, and the leaves."""


def sizes_of(pool: Pool) -> set[float]:
    """The lengths of the axes of what could have been read, and their products."""
    sizes = {size for tensor in pool.values() for size in tensor.shape if size > 1}
    return sizes | {one * other for one in sizes for other in sizes}


def is_view_of(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have one storage."""
    return tensor.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


class Readings(Pool):
    """A pool that keeps in mind what is read of it."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.read: set[Any] = set()

    def __getitem__(self, key: Any) -> torch.Tensor:
        self.read.add(key)
        return super().__getitem__(key)


class OpCall(NamedTuple):
    """An op about to run: what runs it, its operands, and what else could have been read."""

    op: Op
    call: Callable[..., Any]
    args: list[Any]
    kwargs: dict[str, Any]
    pool: Pool
    of_round: Callable[[int], torch.Tensor | None] = lambda _: None
    """What the task has in the round that runs, by its position in `TensorBench.in_rounds`."""
    task: Sequence[torch.Tensor] = ()
    """`GraphTensors.all` of the task at the point."""

    def run(self, **changed: Any) -> Any:
        """What it gives, with the operands of some positions (`_0`) or names changed."""
        args = [changed.get(f"_{at}", arg) for at, arg in enumerate(self.args)]
        named = {name: value for name, value in changed.items() if not name.startswith("_")}
        return self.call(*args, **{**self.kwargs, **named})


Variant = Callable[[OpCall], Any]
"""What an op gives instead."""


def out_of_place(op: OpCall) -> Any:
    """What an op that writes gives. What it wrote to is as before when its statement is over."""
    return op.run()


Change = Callable[[OpCall, torch.Tensor], Any]
"""Another tensor, made of one that an op reads or gives, and of what could have been read."""


def read_as(numbers: Collection[int], change: Change) -> Variant:
    """What an op gives when a value that it reads, one of these, is another."""

    def variant(op: OpCall) -> Any:
        args = enumerate(op.op.args)
        at = [at for at, arg in args if isinstance(arg, Ref) and arg.value in numbers]
        return op.run(**{f"_{each}": change(op, op.args[each]) for each in at})

    return variant


def changed(at: int, inner: int | None, change: Change) -> Variant:
    """The op with one of its operands, or one in a list of them, made into another."""

    def variant(op: OpCall) -> Any:
        own = op.args[at]
        if inner is None:
            return op.run(**{f"_{at}": change(op, own)})
        return op.run(**{f"_{at}": [*own[:inner], change(op, own[inner]), *own[inner + 1 :]]})

    return variant


def after(change: Change) -> Variant:
    """The op's result made into another."""
    return lambda op: change(op, op.run())


def alone(at: int) -> Variant:
    """One of two operands, spread to the shape of both."""

    def variant(op: OpCall) -> Any:
        others = [arg for arg in op.args[:2] if isinstance(arg, torch.Tensor)]
        spread = torch.broadcast_tensors(*others)  # type: ignore[no-untyped-call]
        return op.args[at].expand(spread[0].shape)

    return variant


def weighed(at: int, factor: float) -> Variant:
    """The op with one operand times a factor."""
    return changed(at, None, lambda _, own: own * factor)


def by(function: Callable[[torch.Tensor], torch.Tensor]) -> Change:
    """A function of the tensor."""
    return lambda _, own: function(own)


def instead(number: float) -> Callable[..., float]:
    """A number in the place of another."""
    return lambda *_: number


def from_pool(key: Any) -> Change:
    """What could have been read, in the place of a tensor."""
    return lambda op, own: op.pool[key].to(own.dtype) if own.is_floating_point() else op.pool[key]


def of_task(at: int, factor: float = 1.0) -> Change:
    """A tensor of the task times a number, in the place of a tensor; with its axes of length 1."""

    def change(op: OpCall, own: torch.Tensor) -> torch.Tensor:
        tensor = (op.task[at] * factor).to(own.dtype)
        return tensor.reshape(own.shape) if is_as_long(tensor.shape, own.shape) else tensor

    return change


def is_as_long(shape: torch.Size, other: torch.Size) -> bool:
    """Whether two shapes are the same but for axes of length 1."""
    return [size for size in shape if size != 1] == [size for size in other if size != 1]


def of_round(which: int) -> Change:
    """What the task has in the round of a loop, where it has something."""

    def change(op: OpCall, own: torch.Tensor) -> torch.Tensor:
        tensor = op.of_round(which)
        return own if tensor is None else tensor.to(own.dtype)

    return change


def joined(join: Callable[[Any, Any], Any], key: Any) -> Change:
    """Something that could have been read, joined to the tensor."""
    return lambda op, own: join(own, op.pool[key])


def times_of_task(at: int) -> Change:
    """The tensor times a tensor of the task."""
    return lambda op, own: own * op.task[at]


def joined_number(key: Any) -> Change:
    """A number times something that could have been read."""
    return lambda op, own: op.pool[key] * own


def with_column(join: Callable[[Any, Any], Any], key: Any) -> Change:
    """Each row of the tensor, or one row for all, joined with a number of its own."""
    return lambda op, own: join(own, op.pool[key][:, None])


def with_sum(key: Any) -> Change:
    """The tensor and the sum of something that could have been read over its last axis."""
    return lambda op, own: own + op.pool[key].sum(-1)


def as_long(length: int) -> Variant:
    """So much of an axis, from the same place on."""
    return lambda op: op.run(_3=op.args[2] + length)


def as_long_before(length: int) -> Variant:
    """So much of an axis, up to the same place."""
    return lambda op: op.run(_2=op.args[3] - length)


def times_same_place(key: Any) -> Change:
    """What is taken at a place along an axis, times what something else has at that place."""
    return lambda op, own: own * op.pool[key].select(*op.args[1:3])


def times_rest(key: Any) -> Change:
    """The tensor times what something that could have been read lacks to one."""
    return lambda op, own: own * (1 - op.pool[key])


def times_sum(key: Any) -> Change:
    """The tensor times the sums of something that could have been read over its last axis."""
    return lambda op, own: own * op.pool[key].sum(-1, keepdim=True)


def times_derivative(key: Any) -> Change:
    """The tensor times the derivative of a tanh that could have been read."""
    return lambda op, own: own * (1 - op.pool[key] ** 2)


def outer(key: Any) -> Change:
    """The outer product with something that could have been read."""
    return lambda op, own: torch.outer(op.pool[key], own)


def mask_of(key: Any) -> Change:
    """Where something that could have been read is positive, as numbers."""
    return lambda op, own: (op.pool[key] > 0).to(own.dtype)


def masked_by(key: Any) -> Change:
    """The tensor where something that could have been read is positive."""
    return lambda op, own: own * (op.pool[key] > 0)


def restored(key: Any) -> Change:
    """The tensor as it was before it was written to; so it stays."""
    return lambda op, own: own.copy_(op.pool[key])


def called(name: str) -> Variant:
    """Another op on the same operands."""
    overloads = getattr(torch.ops.aten, name)
    return lambda op: overloads(*op.args, **op.kwargs)


def swapped(op: OpCall, at: int, other: int) -> Any:
    """The op with two tensors of its list in each other's place."""
    parts = [*op.args[0]]
    parts[at], parts[other] = parts[other], parts[at]
    return op.run(_0=parts)


def changed_function(function: Callable[[torch.Tensor], torch.Tensor]) -> Variant:
    """Another function of the only operand."""
    return lambda op: function(op.args[0])


def reordered(tensor: torch.Tensor, order: tuple[int, ...], shape: torch.Size) -> torch.Tensor:
    """The axes in another order, in another shape."""
    return tensor.permute(order).reshape(shape)


def added_up(key: Key, first: Any = None) -> Variant:
    """In each round of a loop what was there before, too; in the first something else, if so."""

    def variant(op: OpCall) -> Any:
        before = key if key in op.pool else first
        return op.run() if before is None else op.run() + op.pool[before]

    return variant


def added_up_by(key: Key, weight: Any, is_column: bool) -> Variant:
    """In each round of a loop what was there before, too, times something that could have been
    read, which is spread along the last axis, if so."""

    def variant(op: OpCall) -> Any:
        own, by = op.run(), op.pool[weight]
        before = op.pool.get(key)
        return own if before is None else own + before * (by[..., None] if is_column else by)

    return variant


def times_before(key: Key) -> Change:
    """In each round of a loop the tensor times what an expression gave in the round before."""
    return lambda op, own: own * op.pool.get(key, 1)


def with_decay(weight: str, factor: float) -> Change:
    """Of a loss the weight's squares besides, of a gradient the weight itself, times a number."""

    def change(op: OpCall, own: torch.Tensor) -> torch.Tensor:
        tensor = op.pool[weight]
        return own + factor * (tensor if own.dim() else (tensor**2).sum())

    return change


def with_product(key: Key, other: object, sign: float) -> Change:
    """The tensor and a product of two that could have been read, or less that."""
    return lambda op, own: own + sign * op.pool[key] * op.pool[other]


def first_times(factor: float) -> Variant:
    """The first of two operands times a number, without the other."""
    first = alone(0)
    return lambda op: first(op) * factor


def times(factor: float) -> Change:
    """The tensor times a number."""
    return lambda _, own: own * factor
