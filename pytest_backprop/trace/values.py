"""The values of a recording, and the numbers that Python took out of them. No tensor is held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ctypes import c_float
from typing import Any
from weakref import ref

import torch

from ..model import Arg, Ref, Value
from ..model.recording import Origin
from .graph import PLAIN_NUMBERS
from .torch_private import DisableTorchDispatch
from .validate import MAX_ELEMENTS, MAX_SENT


class ValueTable:
    """What each tensor was when it was first seen, and which tensors these are, as long as they are
    alive."""

    def __init__(self) -> None:
        self.all: list[Value] = []
        self._numbers: dict[int, tuple[ref[torch.Tensor], int]] = {}
        self._room = MAX_SENT
        """How many numbers may still be sent along."""

    def find(self, tensor: torch.Tensor) -> int | None:
        """The number of a tensor's value; None for a tensor that was never seen."""
        entry = self._numbers.get(id(tensor))
        return entry[1] if entry is not None and entry[0]() is tensor else None

    def in_storage(self, storage: int) -> int:
        """The number of the first value in a storage."""
        return next(number for number, value in enumerate(self.all) if value.storage == storage)

    def first_in(self, storage: int) -> Value:
        """The first value in a storage."""
        return self.all[self.in_storage(storage)]

    def add(
        self,
        tensor: torch.Tensor,
        storage: int,
        origin: Origin,
        leaf: int = 0,
        data: tuple[float, ...] = (),
    ) -> int:
        """The number of a new value, of a tensor in a storage."""
        dtype = str(tensor.dtype).removeprefix("torch.")
        number = len(self.all)
        self.all.append(Value(storage, *_layout(tensor), dtype, origin, leaf, data))
        self._numbers[id(tensor)] = (ref(tensor), number)
        return number

    def add_sent(self, tensor: torch.Tensor, storage: int, origin: Origin) -> int:
        """The number of a new value, whose numbers no op makes: they are sent along, those of a
        large tensor while there is room for them."""
        numbers = numbers_in(tensor, max(MAX_ELEMENTS, self._room))
        self._room -= len(numbers)
        return self.add(tensor, storage, origin, data=numbers)

    def add_element(self, value: int) -> int:
        """The number of a new value: one number of another, in a storage of its own."""
        number = len(self.all)
        self.all.append(Value(-1 - number, (), (), 0, self.all[value].dtype, "op"))
        return number


def _layout(tensor: torch.Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Its shape, strides and offset; of one that has none, as it is compressed or nested, those of
    a vector."""
    try:
        return tuple(tensor.shape), tensor.stride(), int(tensor.storage_offset())
    except RuntimeError:
        return (tensor.numel(),), (1,), 0


def tensors_in(thing: Any) -> list[torch.Tensor]:
    """What an op is given, or gives: a tensor, or a list of which some may be none."""
    things = thing if isinstance(thing, (list, tuple)) else (thing,)
    return [each for each in things if isinstance(each, torch.Tensor)]


def whole_of(tensor: torch.Tensor, most: int) -> torch.Tensor:
    """All that lies where a tensor does, in a row; itself, if that is all there is, or where more
    than so many numbers lie."""
    try:
        storage = tensor.untyped_storage()
    except (NotImplementedError, RuntimeError):
        return tensor
    size = storage.nbytes() // tensor.itemsize
    if size > most or (size == tensor.numel() and tensor.is_contiguous()):
        return tensor
    with DisableTorchDispatch():
        return torch.empty(0, dtype=tensor.dtype).set_(storage)


def numbers_in(tensor: torch.Tensor, most: int = MAX_ELEMENTS) -> tuple[float, ...]:
    """The elements of a real tensor of at most so many as float64, row-major; nothing of any
    other."""
    if tensor.numel() > most or tensor.is_complex():
        return ()
    with DisableTorchDispatch():  # our own looks are not the student's
        return tuple(map(float, tensor.detach().reshape(-1).tolist()))


def python_data(tensor: torch.Tensor) -> Any:
    """A tensor's numbers as Python's own, in nested lists."""
    with DisableTorchDispatch():
        return tensor.tolist()


def _flat(data: Any) -> Iterator[Any]:
    if type(data) is list:
        for item in data:
            yield from _flat(item)
    else:
        yield data


Place = tuple[int, int]
"""A value, and an element of it."""


class PulledNumbers:
    """Numbers that were taken out of tensors, and where each is from.

    A Python number that comes back itself, as the object it was, tells its origin for certain,
    however many values are equal; so does one that is a plain 0 or 1. torch hands objects to its
    functions and other ones, of the same numbers, to ops. What no function was seen to get is
    looked up by its number."""

    def __init__(self) -> None:
        self._by_number: dict[float, Place] = {}
        self._by_object: dict[int, tuple[float, Place]] = {}
        """By identity, with the object kept, so that no other has it."""
        self.arguments: dict[float, Place] = {}
        """Of the numbers that the function in call was given."""

    def hold(self, data: Any, value: int) -> Any:
        """Remembers what Python got of a value, and gives it back: a number, or nested lists of
        them."""
        for element, item in enumerate(_flat(data)):
            if type(item) is float:
                self._by_object[id(item)] = item, (value, element)
        return data

    def places(self) -> set[Place]:
        """Where all of them are from."""
        return {*self._by_number.values(), *(place for _, place in self._by_object.values())}

    def move(self, moved: Mapping[Place, Place]) -> None:
        """Numbers have other origins from here on: what they were taken out of is about to
        change."""
        if moved:
            for by_number in (self._by_number, self.arguments):
                by_number.update({n: moved.get(place, place) for n, place in by_number.items()})
            for key, (number, place) in self._by_object.items():
                self._by_object[key] = number, moved.get(place, place)

    def give(self, args: Iterable[Any]) -> dict[float, Place]:
        """Takes note of the arguments of a call; what was given to the call around it is handed
        back."""
        around = self.arguments
        numbers = [arg for arg in args if type(arg) is float]
        if numbers:
            # one that is typed in beside an equal one cannot be told from it by the op
            typed = {number for number in numbers if id(number) not in self._by_object}
            pulled = {n: self._by_object[id(n)][1] for n in numbers if n not in typed}
            self.arguments = pulled or around
        return around

    def take(self, value: int, numbers: tuple[float, ...], dtype: torch.dtype) -> None:
        """Takes in the numbers of a value, but for plain ones, which may be typed in elsewhere.
        Of two values with the same number the first is its origin."""
        for element, number in enumerate(numbers):
            if number in PLAIN_NUMBERS:
                continue
            self._by_number.setdefault(number, (value, element))
            if dtype == torch.float64:  # torch.Tensor([number]) makes it a float32
                self._by_number.setdefault(c_float(number).value, (value, element))

    def origin(self, number: float) -> Place | None:
        """The value and element that a number was taken out of; None if it never was."""
        if (held := self._by_object.get(id(number))) is not None:
            return held[1]
        return self.arguments.get(number) or self._by_number.get(number)

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
        places = [self._by_number[number] for number in numbers if number in self._by_number]
        return (Ref(places[0][0]),) if places else ()
