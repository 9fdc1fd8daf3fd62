"""Which storages made in a pass are alive, when each died, and which names hold one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType
from typing import Any

import torch

from ..model import Life
from .torch_private import WeakTensor, address_of, expired, free_weak_ref, weak_ref

MAX_DEPTH = 3
MAX_LOOKED_AT = 2_000
MAX_NAMES = 8


class StorageWatch:
    """Numbers storages and notes, in op positions, when each was born, last used and found dead.

    A storage is asked through a weak count in C++, so a view, an alias, a numpy array that shares
    the memory, or a node of autograd that saved it all keep it alive here, as they do in fact. A
    weak reference to the Python tensor would not tell: `tests/trace/test_lifetimes.py` settles what
    that sees. Asking at each op is exact at the granularity in which the definition of `release` is
    written. A weak count also keeps the storage's address from being used again."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._weak: list[Any] = []
        self._alive: dict[int, Callable[[], bool]] = {}
        """By number, what tells whether it is gone."""
        self._born: dict[int, int] = {}
        self._last_use: dict[int, int] = {}
        self._dead_by: dict[int, int] = {}
        self._polled = 0

    def number(self, tensor: torch.Tensor) -> tuple[int, bool]:
        """The number of a tensor's storage, and whether it was seen for the first time. A tensor of
        another layout (`to_sparse`) has none: it is watched itself, and gets a number of its own.
        """
        try:
            storage = tensor.untyped_storage()
        except NotImplementedError:
            self._weak.append(WeakTensor(tensor))
            return len(self._weak) - 1, True
        address = address_of(storage)
        if address in self._numbers:
            return self._numbers[address], False
        number = self._numbers[address] = len(self._weak)
        self._weak.append(weak_ref(storage))
        return number, True

    def find(self, tensor: torch.Tensor) -> int | None:
        """The number of a tensor's storage if it is known. A wrapper of torch.func has none."""
        try:
            return self._numbers.get(address_of(tensor.untyped_storage()))
        except (RuntimeError, NotImplementedError):
            return None

    @staticmethod
    def size(tensor: torch.Tensor) -> int:
        """How many numbers a tensor's storage has room for; 0 for what has none."""
        try:
            return tensor.untyped_storage().nbytes() // tensor.itemsize
        except (RuntimeError, NotImplementedError):
            return 0

    def born(self, number: int, op: int) -> None:
        """From here on the storage counts as made in the pass, by `op`."""
        weak = self._weak[number]
        is_own = isinstance(weak, WeakTensor)
        self._alive[number] = weak.expired if is_own else functools.partial(expired, weak)
        self._born[number] = self._last_use[number] = op

    def renew(self, tensor: torch.Tensor, op: int, is_moved: bool) -> int:
        """From `op` on a tensor's storage counts as another, made in the pass, whose number is
        given. The one before is gone where the numbers were moved to more room; where there are
        fewer, it holds what it held."""
        before = self.find(tensor)
        if before is not None:
            del self._numbers[address_of(tensor.untyped_storage())]
        number, _ = self.number(tensor)
        if is_moved and before in self._alive:
            del self._alive[before]
            self._dead_by[before] = op
        self.born(number, op)
        return number

    def used(self, number: int, op: int) -> None:
        """`op` read or wrote the storage; one that was found gone has no more uses."""
        if number in self._alive:
            self._last_use[number] = op

    def is_born(self, number: int) -> bool:
        """Whether the storage counts as made in the pass."""
        return number in self._born

    def poll(self, op: int) -> None:
        """Notes the storages that are gone before `op`."""
        self._polled = op
        gone = [number for number, is_gone in self._alive.items() if is_gone()]
        for number in gone:
            del self._alive[number]
            self._dead_by[number] = op

    def outlived(self) -> int:
        """Looks once more, as of the last poll: how many are alive."""
        self.poll(self._polled)
        return self.alive

    @property
    def alive(self) -> int:
        """How many storages made in the pass are alive, as of the last poll."""
        return len(self._alive)

    def lives(self) -> tuple[Life, ...]:
        """The lives of all storages made in the pass, in order of birth."""
        return tuple(
            Life(number, born, self._last_use[number], self._dead_by.get(number))
            for number, born in self._born.items()
        )

    def close(self) -> None:
        """Gives the weak counts back. The watch is of no use afterwards."""
        for weak in self._weak:
            if not isinstance(weak, WeakTensor):
                free_weak_ref(weak)
        self._weak.clear()
        self._numbers.clear()

    def holders(self, number: int, frames: list[FrameType]) -> tuple[str, ...]:
        """Names in these frames that lead to a tensor in a storage: locals, list and dict entries,
        attributes, variables of closures. At most `MAX_NAMES`, shallow ones first.

        Reading a frame's locals copies them before Python 3.13, so a pass in which holders were
        looked up is not judged for releases."""
        names: dict[str, None] = {}
        level = [item for frame in frames for item in dict(frame.f_locals).items()]
        seen: set[int] = set()
        for _ in range(MAX_DEPTH):
            deeper: list[tuple[str, Any]] = []
            for name, thing in level:
                if isinstance(thing, torch.Tensor):
                    if self.find(thing) == number:
                        names[name.encode("utf-8", "replace").decode()] = None
                elif id(thing) not in seen and len(seen) <= MAX_LOOKED_AT:
                    seen.add(id(thing))
                    deeper.extend(_parts(name, thing))
            level = deeper
        return tuple(names)[:MAX_NAMES]


def _parts(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, list | tuple):
        for index, item in enumerate(thing):
            yield f"{name}[{index}]", item
    elif isinstance(thing, dict):
        for key, item in list(thing.items()):
            if isinstance(key, str | int):
                yield f"{name}[{key!r}]", item
    elif isinstance(thing, FunctionType):
        for variable, cell in zip(
            thing.__code__.co_freevars, thing.__closure__ or (), strict=False
        ):
            try:
                yield f"{name} (closure over {variable})", cell.cell_contents
            except ValueError:  # an empty cell
                continue
    else:
        attributes = getattr(thing, "__dict__", None)
        if isinstance(attributes, dict):
            for key, item in list(attributes.items()):
                if not key.startswith("_"):
                    yield f"{name}.{key}", item
