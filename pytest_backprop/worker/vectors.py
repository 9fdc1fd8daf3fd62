"""The manual pass once more, on long vectors instead of scalars: the kernel then sees what it keeps.

Every weight and input becomes a vector of N elements in one more, last dimension, and so does what
the pass makes from them. The process stops itself (SIGSTOP) right before and right after the pass,
so that the grader can read its memory while nothing moves.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .adapt import Caller, Slot
from .sandbox import end_of_heap, stay_on_one_processor, use_small_pages

WARM_UP_LENGTH = 3
"""Elements of the vectors of a first, short run: what Python sets up once is then not measured."""

MAX_RESERVED = 100

BY_SIZE = frozenset((torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn))
BY_SIZE_OF_SELF = frozenset(
    (
        torch.Tensor.view, torch.Tensor.reshape, torch.Tensor.expand, torch.Tensor.new_zeros,
        torch.Tensor.new_ones, torch.Tensor.new_empty,
    )
)  # fmt: skip
"""Called with sizes, which get the vectors' dimension behind them."""
ASSEMBLERS = {
    torch.tensor: 0, torch.as_tensor: 0, torch.asarray: 0, torch.Tensor.new_tensor: 1,
}  # fmt: skip
HSTACKS = frozenset((torch.hstack, torch.column_stack))


class Widening(TorchFunctionMode):
    """Fits what a pass does with shapes and numbers to vectors of `length` elements."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length = length

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if func in ASSEMBLERS:
            return self._assembled(func, args, kwargs)
        if func in HSTACKS:
            return torch.cat([t if t.dim() > 1 else t[None] for t in args[0]])
        if func is torch.full:
            size, *rest = args
            args = (self._widened(size), *rest)
        elif func in BY_SIZE:
            args, kwargs = self._sized(args, kwargs)
        elif func in BY_SIZE_OF_SELF and self._is_wide(args[0]):
            sizes, kwargs = self._sized(args[1:], kwargs)
            args = (args[0], *sizes)
        elif func is torch.reshape and self._is_wide(args[0]):
            args = (args[0], self._widened(args[1]))
        return func(*args, **kwargs)

    def _is_wide(self, value: Any) -> bool:
        return (
            isinstance(value, torch.Tensor) and value.dim() > 0 and value.shape[-1] == self._length
        )

    def _sized(
        self, sizes: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments that are sizes, as numbers or as one sequence of them, widened."""
        if not sizes and "size" in kwargs:
            return (), kwargs | {"size": self._widened(kwargs["size"])}
        if len(sizes) == 1 and isinstance(sizes[0], tuple | list):
            return (self._widened(sizes[0]),), kwargs
        if all(isinstance(size, int) for size in sizes):
            return (self._widened(sizes),), kwargs
        return tuple(sizes), kwargs

    def _widened(self, sizes: Any) -> tuple[int, ...]:
        sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
        return sizes if sizes[-1:] == (self._length,) else (*sizes, self._length)

    def _assembled(
        self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> torch.Tensor:
        position = ASSEMBLERS[func]
        if len(args) > position and self._has_wide(args[position]):
            made = self._built(args[position]).detach()
            dtype = kwargs.get("dtype")
            return made if dtype is None else made.to(dtype)
        result: torch.Tensor = func(*args, **kwargs)
        return result

    def _has_wide(self, data: Any) -> bool:
        if isinstance(data, list | tuple):
            return any(self._has_wide(part) for part in data)
        return self._is_wide(data)

    def _built(self, data: Any) -> torch.Tensor:
        if isinstance(data, list | tuple):
            return torch.stack([self._part(part) for part in data])
        return self._part(data).clone()

    def _part(self, data: Any) -> torch.Tensor:
        if isinstance(data, list | tuple):
            return self._built(data)
        if self._is_wide(data):
            part: torch.Tensor = data
            return part
        return torch.as_tensor(data).expand(self._length)  # takes no memory of its own


def run_on_vectors(
    model: Any,
    caller: Caller,
    slots: Sequence[Slot],
    weights: Sequence[float],
    inputs: Sequence[float],
    length: int,
) -> None:
    """Runs the manual pass on vectors of `length` equal elements, stopping before and after it.

    Raises what the pass raises: not every pass that is right on scalars takes vectors.
    """
    shapes = {id(parameter): parameter.shape for parameter, _ in slots}

    def run(length: int, stop: Callable[[], None]) -> None:
        for parameter, _ in slots:
            parameter.grad = None
            shape = (*shapes[id(parameter)], length)
            parameter.data = torch.zeros(shape, dtype=parameter.dtype)
        for (parameter, element), weight in zip(slots, weights, strict=True):
            parameter.data.view(-1, length)[element] = weight
        arguments = [
            argument[..., None].expand(*argument.shape, length).contiguous()
            for argument in caller.arguments(inputs)
        ]
        gc.collect()
        gc.disable()  # a cycle is no release: PyTorch frees by reference count
        with torch.no_grad(), Widening(length):
            stop()
            result = caller.call(arguments, slots)
            stop()
        gc.enable()
        del result

    run(WARM_UP_LENGTH, lambda: None)
    use_small_pages()
    stay_on_one_processor()
    reserved = _free_in_heap(length)
    run(length, lambda: os.kill(os.getpid(), signal.SIGSTOP))
    del reserved


def _free_in_heap(length: int) -> list[torch.Tensor]:
    """Takes what room for vectors is free in the heap, so that each of the pass's own comes from
    the kernel and is seen there."""
    end = end_of_heap()
    taken: list[torch.Tensor] = []
    while len(taken) < MAX_RESERVED:
        block = torch.empty(length, dtype=torch.bool)  # the smallest vector that a pass makes
        if block.data_ptr() >= end:
            break
        taken.append(block)
    return taken
