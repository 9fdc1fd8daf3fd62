"""The numbers in a small tensor, and the tensors in Python data that a tensor is made from."""

from __future__ import annotations

from ctypes import c_float
from typing import Any

import torch

from ..model import Arg, Items, Ref
from .graph import PLAIN_NUMBERS

MAX_DATA = 256
"""Elements of a constant that are sent along."""


def numbers_in(tensor: torch.Tensor) -> tuple[float, ...]:
    """The elements of a small real tensor as float64, row-major; nothing of any other."""
    if tensor.numel() > MAX_DATA or tensor.is_complex():
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


def answer_of(kind: str, numbers: tuple[float, ...]) -> tuple[Arg, ...]:
    """What Python learnt by a look, where that may decide: two runs may part only where one was
    answered otherwise, and no link follows a plain number."""
    if kind == "bool" and len(numbers) == 1:
        return (bool(numbers[0]),)
    if kind != "repr" and PLAIN_NUMBERS.intersection(numbers):
        return numbers
    return ()


class PulledNumbers:
    """Numbers that were taken out of tensors, and where each is from: a value, and an element of it."""

    def __init__(self) -> None:
        self._origins: dict[float, tuple[int, int]] = {}

    def take(self, value: int, numbers: tuple[float, ...], dtype: torch.dtype) -> None:
        """Takes in all numbers of a value but plain ones, which may be typed in elsewhere."""
        for element, number in enumerate(numbers):
            if number in PLAIN_NUMBERS:
                continue
            self._origins[number] = (value, element)
            if dtype == torch.float64:  # torch.Tensor([number]) makes it a float32
                self._origins.setdefault(c_float(number).value, (value, element))

    def origin(self, number: float) -> tuple[int, int] | None:
        """The value and element that a number was last taken out of; None if it never was."""
        return self._origins.get(number)
