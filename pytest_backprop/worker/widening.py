"""Fits a pass that was written for scalars to vectors of equal elements, so that it goes the same way.

What Python asks of a vector is answered as of the scalar that it stands for: its shape, its truth, its
number. What leaves torch as a whole (`.numpy()`, `.tolist()`, its bytes) is as large as the vector.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from ..trace.graph import PLAIN_NUMBERS
from ..trace.op_table import having
from ..trace.torch_private import disabled_torch_function
from ..trace.watched import ASSEMBLERS, COPIES, LOOKS

BY_SIZE = frozenset(getattr(torch, name) for name in having("sized"))
BY_SIZE_OF_SELF = frozenset(
    (
        torch.Tensor.view, torch.Tensor.reshape, torch.Tensor.expand, torch.Tensor.new_zeros,
        torch.Tensor.new_ones, torch.Tensor.new_empty,
    )
)  # fmt: skip
"""Called with sizes, which get the vectors' dimension behind them."""
HSTACKS = frozenset((torch.hstack, torch.column_stack))


def _size(tensor: torch.Tensor, dim: int | None = None) -> Any:
    shape = torch.Size(tensor.shape[:-1])
    return shape if dim is None else shape[dim]


def _count(tensor: torch.Tensor) -> int:
    return math.prod(tensor.shape[:-1])


def _dimensions(tensor: torch.Tensor) -> int:
    return tensor.dim() - 1


SHAPES: dict[Any, Callable[..., Any]] = {
    torch.Tensor.size: _size,
    torch.Tensor.shape.__get__: _size,  # type: ignore[attr-defined]
    torch.Tensor.numel: _count,
    torch.Tensor.nelement: _count,
    torch.numel: _count,
    torch.Tensor.dim: _dimensions,
    torch.Tensor.ndimension: _dimensions,
    torch.Tensor.ndim.__get__: _dimensions,  # type: ignore[attr-defined]
    torch.Tensor.nbytes.__get__: lambda t: _count(t) * t.element_size(),  # type: ignore[attr-defined]
}
"""Asked of a vector, these are answered as of its scalar."""


SET_GRADIENT = torch.Tensor.grad.__set__  # type: ignore[union-attr]


NEARLY = 1e-5
"""`w * (1 / w)` is 1.0 for some scalars and 0.99999994 for vectors, whose kernels round otherwise."""


def _is_nearly_plain(number: float) -> bool:
    if not math.isfinite(number):
        return False
    nearest = round(2 * number) / 2
    return nearest in PLAIN_NUMBERS and math.isclose(
        number, nearest, rel_tol=NEARLY, abs_tol=NEARLY
    )


def _is_plain(scalar: torch.Tensor) -> bool:
    numbers = [] if scalar.is_complex() else scalar.double().reshape(-1).tolist()
    return bool(numbers) and all(map(_is_nearly_plain, numbers))


class Number(torch.Tensor):
    """What `.tolist()` gives for a scalar: a number, which takes a vector's memory. It shares that of
    its tensor. What is calculated with such numbers alone is a number too, and no op of the pass."""

    __torch_function__ = disabled_torch_function


class Array(np.ndarray):
    """What `.numpy()` gives: asked for its one number, it gives what all elements are."""

    length: ClassVar[int] = 0
    pulled: ClassVar[set[float]] = set()

    def _one(self) -> Any:
        plain = np.asarray(self)
        return plain[..., 0] if plain.shape[-1:] == (self.length,) else plain

    def __bool__(self) -> bool:
        return bool(self._one())

    def __int__(self) -> int:
        return int(self._one())

    def __float__(self) -> float:
        number = float(self._one())
        self.pulled.add(number)
        return number

    def __format__(self, spec: str) -> str:
        return format(self._one(), spec)

    def item(self, *args: Any) -> Any:
        """As of the scalar."""
        number = self._one().item(*args)
        self.pulled.add(number)
        return number

    def tolist(self) -> Any:
        """As of the scalar, with a number that takes a vector's memory."""
        if self.ndim != 1 or self.shape != (self.length,):
            return [part.view(Array).tolist() for part in self]
        return torch.from_numpy(np.asarray(self)).as_subclass(Number)


class Widening(TorchFunctionMode):
    """Fits what a pass does with shapes and numbers to vectors of `length` elements. `on_copy` is
    called where a whole value leaves torch."""

    def __init__(self, length: int, on_copy: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._length = Array.length = length
        self._pulled = Array.pulled = set()
        self._on_copy = on_copy

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        look = LOOKS.get(func)
        if look is not None:
            return self._look(look, func, args, kwargs)
        if func in SHAPES and self._is_wide(args[0]):
            return SHAPES[func](*args[:2], **kwargs)
        if func in ASSEMBLERS:
            return self._assembled(func, args, kwargs)
        if func is torch.stack and any(map(self._is_wide, args[0])):
            args = ([self._part(t) if t.dim() == 0 else t for t in args[0]], *args[1:])
        if func in HSTACKS:
            return torch.cat([t if t.dim() > 1 else t[None] for t in args[0]])
        if func is torch.full:
            size, value = (*args, kwargs.pop("size", None), kwargs.pop("fill_value", None))[:2]
            args = (self._widened(size), value)
        elif func == SET_GRADIENT:
            args = (args[0], self._gradient(*args))
        elif func in BY_SIZE:
            args, kwargs = self._sized(args, kwargs)
        elif func in BY_SIZE_OF_SELF and self._is_wide(args[0]):
            sizes, kwargs = self._sized(args[1:], kwargs)
            args = (args[0], *sizes)
        elif func is torch.reshape and self._is_wide(args[0]):
            args = (args[0], self._widened(args[1]))
        return func(*args, **kwargs)

    def _look(
        self, look: str, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        tensor, *others = args
        if look in COPIES:
            self._on_copy()
        if not self._is_wide(tensor):
            given = func(*args, **kwargs)
        elif look in ("numpy", "tolist") and _is_plain(tensor[..., 0]):
            return func(tensor[..., 0], **kwargs)  # for the recorder these may have been typed in
        elif look == "numpy":
            return func(*args, **kwargs).view(Array)
        elif look == "tolist":
            return self._numbers(tensor.detach())
        elif look in COPIES:
            return func(*args, **kwargs)
        else:
            given = func(tensor[..., 0], *others, **kwargs)
        if isinstance(given, float):
            self._pulled.add(given)
        return given

    def _gradient(self, parameter: torch.Tensor, gradient: Any) -> Any:
        """A gradient that a class of torch's (`torch.Tensor([..])`) put together from numbers."""
        if not isinstance(gradient, torch.Tensor) or gradient.shape != parameter.shape[:-1]:
            return gradient
        wide = gradient[..., None].expand(parameter.shape)
        linked = self._has_wide(gradient.reshape(-1).tolist())
        return wide.contiguous() if linked else wide

    def _numbers(self, tensor: torch.Tensor) -> Any:
        if tensor.dim() == 1:
            return tensor.as_subclass(Number)
        return [self._numbers(part) for part in tensor]

    def _is_wide(self, value: Any) -> bool:
        """Whether it is a vector, or an array of one's memory."""
        return isinstance(value, torch.Tensor | np.ndarray) and value.shape[-1:] == (self._length,)

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
        data = args[position] if len(args) > position else None
        if not self._is_wide(data) and self._has_wide(data):  # torch takes a vector as it is
            made = self._built(data).detach()
            dtype = kwargs.get("dtype")
            return made if dtype is None else made.to(dtype)
        result: torch.Tensor = func(*args, **kwargs)
        return result

    def _has_wide(self, data: Any) -> bool:
        if isinstance(data, list | tuple):
            return any(self._has_wide(part) for part in data)
        if isinstance(data, float):  # the recorder links such a number to its tensor
            return data in self._pulled and not _is_nearly_plain(data)
        return self._is_wide(data)

    def _built(self, data: Any) -> torch.Tensor:
        """Nested lists with vectors in them as one tensor, put together at once: torch takes no
        memory for the lists inside either."""
        parts, shape = [data], []
        while all(isinstance(part, list | tuple) for part in parts):
            shape.append(len(parts[0]))
            parts = [inner for part in parts for inner in part]
        built = torch.stack([self._part(part) for part in parts])
        return built.reshape(*shape, *built.shape[1:])

    def _part(self, data: Any) -> torch.Tensor:
        if isinstance(data, np.ndarray):
            data = torch.from_numpy(np.asarray(data))
        if self._is_wide(data):
            part: torch.Tensor = data
            return part
        return torch.as_tensor(data).expand(self._length)  # takes no memory of its own
