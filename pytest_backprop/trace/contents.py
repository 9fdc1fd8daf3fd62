"""The numbers in a small tensor, and the tensors in Python data that a tensor is made from."""

from __future__ import annotations

from ctypes import c_float
from typing import Any

import torch

from ..model import Arg, Items, Ref
from .graph import PLAIN_NUMBERS
from .validate import MAX_ELEMENTS


def numbers_in(tensor: torch.Tensor) -> tuple[float, ...]:
    """The elements of a small real tensor as float64, row-major; nothing of any other."""
    if tensor.numel() > MAX_ELEMENTS or tensor.is_complex():
        return ()
    return tuple([float(number) for number in python_data(tensor, flat=True)])


def python_data(tensor: torch.Tensor, flat: bool = False) -> Any:
    """A tensor's numbers as Python's own, in nested lists, or in one."""
    with torch._C._DisableTorchDispatch():  # our own looks are not the student's
        return (tensor.detach().reshape(-1) if flat else tensor).tolist()


def may_hold_numbers(data: Any) -> bool:
    """Whether Python data may have tensors, or numbers taken out of them, in it."""
    return isinstance(data, torch.Tensor | list | tuple | float)


def collect_refs(arg: Arg, refs: list[int]) -> None:
    """Appends the values that an argument refers to, in order."""
    if isinstance(arg, Ref):
        refs.append(arg.value)
    elif isinstance(arg, Items):
        for item in arg.items:
            collect_refs(item, refs)


class PulledNumbers:
    """Numbers that were taken out of tensors, and where each is from: a value, and an element of it."""

    def __init__(self) -> None:
        self._origins: dict[float, tuple[int, int]] = {}

    def take(self, value: int, numbers: tuple[float, ...], dtype: torch.dtype) -> None:
        """Takes in the numbers of a value, but for plain ones, which may be typed in elsewhere. Of two
        values with the same number the first is its origin."""
        for element, number in enumerate(numbers):
            if number in PLAIN_NUMBERS:
                continue
            self._origins.setdefault(number, (value, element))
            if dtype == torch.float64:  # torch.Tensor([number]) makes it a float32
                self._origins.setdefault(c_float(number).value, (value, element))

    def origin(self, number: float) -> tuple[int, int] | None:
        """The value and element that a number was taken out of; None if it never was."""
        return self._origins.get(number)

    def answer(self, kind: str, numbers: tuple[float, ...]) -> tuple[Arg, ...]:
        """What Python learns by a look, where no link will tell what it is used for: a truth, a plain
        number, one that another value has given. It may decide, and two runs may part there."""
        if kind == "bool":
            return (bool(numbers[0]),) if len(numbers) == 1 else ()
        if kind == "repr":
            return ()
        if PLAIN_NUMBERS.intersection(numbers):
            return numbers
        # the number itself differs from run to run: its origin is told
        origins = [self._origins[number] for number in numbers if number in self._origins]
        return (Ref(origins[0][0]),) if origins else ()
