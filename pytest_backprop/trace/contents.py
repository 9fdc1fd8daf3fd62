"""The numbers in a small tensor, and the tensors in Python data that a tensor is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ctypes import c_float
from typing import Any

import torch

from ..model import Arg, Ref
from .graph import PLAIN_NUMBERS
from .torch_private import DisableTorchDispatch
from .validate import MAX_ELEMENTS


def numbers_in(tensor: torch.Tensor) -> tuple[float, ...]:
    """The elements of a small real tensor as float64, row-major; nothing of any other."""
    if tensor.numel() > MAX_ELEMENTS or tensor.is_complex():
        return ()
    return tuple([float(number) for number in python_data(tensor, flat=True)])


def python_data(tensor: torch.Tensor, flat: bool = False) -> Any:
    """A tensor's numbers as Python's own, in nested lists, or in one."""
    with DisableTorchDispatch():  # our own looks are not the student's
        return (tensor.detach().reshape(-1) if flat else tensor).tolist()


def may_hold_numbers(data: Any) -> bool:
    """Whether Python data may have tensors, or numbers taken out of them, in it."""
    return isinstance(data, torch.Tensor | list | tuple | float)


Origin = tuple[int, int]
"""A value, and an element of it."""


class PulledNumbers:
    """Numbers that were taken out of tensors, and where each is from.

    A Python number that comes back itself, as the object it was, tells its origin for certain,
    however many values are equal; so does one that is a plain 0 or 1. torch hands objects to its
    functions and other ones, of the same numbers, to ops. What no function was seen to get is
    looked up by its number.
    """

    def __init__(self) -> None:
        self._origins: dict[float, Origin] = {}
        self._objects: dict[
            int, tuple[float, Origin]
        ] = {}  # by identity; kept, so that no other has it
        self.given: dict[float, Origin] = {}
        """Of the numbers that the function in call was given."""

    def hold(self, data: Any, value: int) -> Any:
        """Remembers what Python got of a value, and gives it back: a number, or nested lists of
        them."""
        todo, element = [data], 0
        while todo:
            item = todo.pop()
            if type(item) is list:
                todo.extend(reversed(item))
                continue
            if type(item) is float:
                self._objects[id(item)] = item, (value, element)
            element += 1
        return data

    def origins(self) -> set[Origin]:
        """Where all of them are from."""
        return {*self._origins.values(), *(origin for _, origin in self._objects.values())}

    def move(self, moved: Mapping[Origin, Origin]) -> None:
        """Numbers have other origins from here on: what they were taken out of is about to
        change."""
        if not moved:
            return
        self._origins = {n: moved.get(origin, origin) for n, origin in self._origins.items()}
        self._objects = {
            key: (number, moved.get(origin, origin))
            for key, (number, origin) in self._objects.items()
        }
        self.given = {n: moved.get(origin, origin) for n, origin in self.given.items()}

    def give(self, args: Iterable[Any]) -> dict[float, Origin]:
        """Takes note of the arguments of a call; what was given to the call around it is handed
        back."""
        numbers = [arg for arg in args if type(arg) is float]
        around = self.given
        if numbers:
            found = {n: self._objects[id(n)][1] for n in numbers if id(n) in self._objects}
            # one that is typed in beside an equal one cannot be told from it by the op
            typed = {n for n in numbers if id(n) not in self._objects}
            self.given = {n: origin for n, origin in found.items() if n not in typed} or around
        return around

    def take(self, value: int, numbers: tuple[float, ...], dtype: torch.dtype) -> None:
        """Takes in the numbers of a value, but for plain ones, which may be typed in elsewhere.
        Of two values with the same number the first is its origin."""
        for element, number in enumerate(numbers):
            if number in PLAIN_NUMBERS:
                continue
            self._origins.setdefault(number, (value, element))
            if dtype == torch.float64:  # torch.Tensor([number]) makes it a float32
                self._origins.setdefault(c_float(number).value, (value, element))

    def origin(self, number: float) -> Origin | None:
        """The value and element that a number was taken out of; None if it never was."""
        known = self._objects.get(id(number))
        if known is not None:
            return known[1]
        return self.given.get(number) or self._origins.get(number)

    def answer(self, kind: str, numbers: tuple[float, ...]) -> tuple[Arg, ...]:
        """What Python learns by a look, where no link will tell what it is used for: a truth, a
        plain number, one that another value has given. It may decide, and two runs may part
        there."""
        if kind == "bool":
            return (bool(numbers[0]),) if len(numbers) == 1 else ()
        if kind == "repr":
            return ()
        if PLAIN_NUMBERS.intersection(numbers):
            return tuple([number + 0.0 for number in numbers])  # -0.0 is no other answer than 0.0
        # the number itself differs from run to run: its origin is told
        origins = [self._origins[number] for number in numbers if number in self._origins]
        return (Ref(origins[0][0]),) if origins else ()
