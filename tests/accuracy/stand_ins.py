"""Stand-ins for torch and its tensors: plain Python objects that carry exact and float64 numbers at
many points, note every op with the statement that ran it, and die by Python's own reference counts.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from expressions import Num, binary
from functions import VALUES, applied, compared

FILE = "<oracle>"


class Done(NamedTuple):
    """One op: who reads what. `path` is (frame, execution, line) of each running statement."""

    kind: str
    line: int
    path: tuple[tuple[int, int, int], ...]
    producers: frozenset[int]
    read: tuple[int, ...]
    store: int | None


class World:
    """One run of a pass: ops, statements, births and deaths."""

    def __init__(self) -> None:
        self.ops: list[Done] = []
        self.levels: list[list[int]] = []
        self.born: dict[int, int] = {}
        self.used: dict[int, int] = {}
        self.died: dict[int, int] = {}
        self.moves: dict[int, set[int]] = {}
        self.copies: dict[int, bool] = {}
        self.written: set[int] = set()
        self.watched: list[Any] = []
        self.counter = 0

    def count(self) -> int:
        """A number never used before."""
        self.counter += 1
        return self.counter

    def enter(self) -> None:
        """A function of the student's starts."""
        self.levels.append([self.count(), 0, 0])

    def leave(self) -> None:
        """It has returned."""
        self.levels.pop()

    def at(self, line: int) -> None:
        """A statement starts."""
        self.levels[-1][1:] = [self.count(), line]

    def log(
        self, kind: str, reads: Sequence[Tensor], store: Store | None, data: bool = True
    ) -> int:
        """Notes an op and which storages it uses; gives its position."""
        frame = sys._getframe(1)
        while frame.f_code.co_filename != FILE and frame.f_back is not None:
            frame = frame.f_back
        position = len(self.ops)
        producers = {
            p for t in reads for i in t.places if (p := t.store.producers[i]) is not None and data
        }
        path = tuple((f, e, line) for f, e, line in self.levels)
        read = tuple(t.store.number for t in reads)
        number = None if store is None else store.number
        self.ops.append(Done(kind, frame.f_lineno, path, frozenset(producers), read, number))
        for n in (*read, *(() if number is None else (number,))):
            if n in self.born:
                self.used[n] = position
        return position

    def watch(self, store: Store, position: int) -> None:
        """A storage is made by an op."""
        self.born[store.number] = self.used[store.number] = position
        died, number, ops = self.died, store.number, self.ops

        def gone(_: object) -> None:
            died[number] = len(ops)

        self.watched.append(weakref.ref(store, gone))


class Store:
    """A storage: numbers, and for each the op that made it."""

    __slots__ = ("__weakref__", "cells", "leaf", "number", "producers")

    def __init__(self, cells: list[Num], leaf: bool = False) -> None:
        self.cells = cells
        self.producers: list[int | None] = [None] * len(cells)
        self.leaf = leaf
        self.number = WORLD[0].count()


WORLD: list[World] = [World()]


class Tensor:
    """Stands in for a tensor: places of a storage, and a shape."""

    __slots__ = ("__weakref__", "grad", "mask", "places", "shape", "store")

    def __init__(
        self, store: Store, places: list[int], shape: tuple[int, ...], mask: bool = False
    ) -> None:
        self.mask = mask
        self.store = store
        self.places = places
        self.shape = shape
        self.grad: Any = None

    # -- views

    def _view(self, places: list[int], shape: tuple[int, ...]) -> Tensor:
        WORLD[0].log("view", [self], None)
        return Tensor(self.store, places, shape)

    def __getitem__(self, index: int) -> Tensor:
        return self._view([self.places[index]], ())

    def __iter__(self) -> Any:
        WORLD[0].log("view", [self], None)
        return iter([Tensor(self.store, [p], ()) for p in self.places])

    def unbind(self, _dim: int = 0) -> Any:
        return tuple(self)

    def view(self, *_shape: int) -> Tensor:
        return self._view(self.places, (len(self.places),))

    reshape = view

    def unsqueeze(self, _dim: int) -> Tensor:
        return self._view(self.places, (1,))

    def detach(self) -> Tensor:
        return self._view(self.places, self.shape)

    @property
    def data(self) -> Tensor:
        return self._view(self.places, self.shape)

    # -- arithmetic

    def __add__(self, other: Any) -> Tensor:
        return _compute("+", self, other)

    def __radd__(self, other: Any) -> Tensor:
        return _compute("+", other, self)

    def __sub__(self, other: Any) -> Tensor:
        return _compute("-", self, other)

    def __rsub__(self, other: Any) -> Tensor:
        return _compute("-", other, self)

    def __mul__(self, other: Any) -> Tensor:
        return _compute("*", self, other)

    def __rmul__(self, other: Any) -> Tensor:
        return _compute("*", other, self)

    def __truediv__(self, other: Any) -> Tensor:
        return _compute("/", self, other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return _compute("/", other, self)

    def __pow__(self, n: float) -> Tensor:
        return _made("pow", [self], [c.power(n) for c in cells_of(self)], self.shape)

    def __neg__(self) -> Tensor:
        _no_masks([self])
        return _made("neg", [self], [-c for c in cells_of(self)], self.shape)

    def reciprocal(self) -> Tensor:
        return 1 / self

    def square(self) -> Tensor:
        return self**2

    def __gt__(self, other: Any) -> Tensor:
        return _compare(">", self, other)

    def __lt__(self, other: Any) -> Tensor:
        return _compare("<", self, other)

    def __ge__(self, other: Any) -> Tensor:
        return _compare(">=", self, other)

    def __le__(self, other: Any) -> Tensor:
        return _compare("<=", self, other)

    def float(self) -> Tensor:
        return _made("move", [self], cells_of(self), self.shape) if self.mask else self

    add, sub, mul, div, pow, neg = __add__, __sub__, __mul__, __truediv__, __pow__, __neg__

    # -- in place

    def _change(self, op: str, other: Any) -> Tensor:
        b = cells_of(other)
        new = [binary(op, c, b[i % len(b)]) for i, c in enumerate(cells_of(self))]
        reads = [self, other] if isinstance(other, Tensor) else [self]
        _write(self, reads, new, op + "=")
        return self

    def __iadd__(self, other: Any) -> Tensor:
        return self._change("+", other)

    def __isub__(self, other: Any) -> Tensor:
        return self._change("-", other)

    def __imul__(self, other: Any) -> Tensor:
        return self._change("*", other)

    def __itruediv__(self, other: Any) -> Tensor:
        return self._change("/", other)

    add_, sub_, mul_, div_ = __iadd__, __isub__, __imul__, __itruediv__

    def neg_(self) -> Tensor:
        _write(self, [self], [-c for c in cells_of(self)], "neg_")
        return self

    def copy_(self, other: Tensor) -> Tensor:
        _write(self, [other], cells_of(other), "move")
        return self

    def __setitem__(self, index: int, other: Any) -> None:
        self[index].copy_(other)

    def clone(self) -> Tensor:
        return _made("move", [self], cells_of(self), self.shape)


def cells_of(t: Any) -> list[Num]:
    return [t.store.cells[p] for p in t.places] if isinstance(t, Tensor) else [Num.of(t)]


def _made(kind: str, reads: list[Tensor], cells: list[Num], shape: tuple[int, ...],
          data: bool = True) -> Tensor:  # fmt: skip
    world = WORLD[0]
    store = Store(cells)
    position = world.log(kind, reads, store, data)
    store.producers = [position] * len(cells)
    world.watch(store, position)
    if kind == "move" and reads:
        world.moves.setdefault(store.number, set()).update(t.store.number for t in reads)
        world.copies[store.number] = all(
            t.store.leaf or world.copies.get(t.store.number, False) for t in reads
        )
    return Tensor(store, list(range(len(cells))), shape)


def _write(target: Tensor, reads: list[Tensor], cells: list[Num], kind: str) -> None:
    world = WORLD[0]
    position = world.log(kind, reads, target.store)
    world.written.add(target.store.number)
    if kind == "move":
        number = target.store.number
        world.moves.setdefault(number, set()).update(t.store.number for t in reads)
    for place, cell in zip(target.places, cells, strict=True):
        target.store.cells[place] = cell
        target.store.producers[place] = position


def _compute(op: str, a: Any, b: Any) -> Tensor:
    if not isinstance(a, Tensor | int | float) or not isinstance(b, Tensor | int | float):
        raise TypeError(f"{type(a).__name__} {op} {type(b).__name__}")
    masks = [t for t in (a, b) if isinstance(t, Tensor) and t.mask]
    if op == "-" or len(masks) == 2:
        _no_masks(masks)
    left, right = cells_of(a), cells_of(b)
    size = max(len(left), len(right))
    shape = max((t.shape for t in (a, b) if isinstance(t, Tensor)), key=len)
    cells = [binary(op, left[i % len(left)], right[i % len(right)]) for i in range(size)]
    return _made(op, [t for t in (a, b) if isinstance(t, Tensor)], cells, shape)


def _no_masks(operands: list[Tensor]) -> None:
    """torch refuses some arithmetic on masks, and of some makes masks again."""
    if any(t.mask for t in operands):
        raise TypeError("arithmetic on a mask")


def _compare(sign: str, a: Tensor, b: Any) -> Tensor:
    cells = [compared(sign, x, y) for x, y in zip(cells_of(a), cells_of(b), strict=True)]
    made = _made("cmp", [t for t in (a, b) if isinstance(t, Tensor)], cells, a.shape)
    made.mask = True
    return made


def _where(mask: Tensor, a: Any, b: Any) -> Tensor:
    if not mask.mask or not any(isinstance(t, Tensor) for t in (a, b)):
        raise TypeError("where")
    (c,), (x,), (y,) = cells_of(mask), cells_of(a), cells_of(b)
    made = Num(np.where(c.f > 0, x.f, y.f), None)
    return _made("where", [t for t in (mask, a, b) if isinstance(t, Tensor)], [made], mask.shape)


def _function(name: str) -> Any:
    def run(*operands: Tensor) -> Tensor:
        if not all(isinstance(t, Tensor) for t in operands):
            raise TypeError(f"{name} of a number")
        _no_masks(list(operands))
        cells = [applied(name, *(cells_of(t)[0] for t in operands))]
        return _made(name, list(operands), cells, operands[0].shape)

    return run


for _name in VALUES:
    setattr(Tensor, _name, _function(_name))


def _tensor(data: Any, dtype: object = None) -> Tensor:
    items = list(data) if isinstance(data, list | tuple) else [data]
    shape = (len(items),) if isinstance(data, list | tuple) else ()
    reads = [i for i in items if isinstance(i, Tensor)]
    return _made("move" if reads else "constant", reads, [cells_of(i)[0] for i in items], shape)


def _cat(parts: Sequence[Tensor], dim: int = 0) -> Tensor:
    cells = [c for part in parts for c in cells_of(part)]
    return _made("move", list(parts), cells, (len(cells),))


def _filled(number: float) -> Any:
    def make(*size: Any, dtype: object = None) -> Tensor:
        count = size[0][0] if isinstance(size[0], tuple | list) else size[0]
        return _made("room", [], [Num.of(number)] * count, (count,))

    return make


def _like(number: float) -> Any:
    def make(t: Tensor) -> Tensor:
        return _made("room", [t], [Num.of(number)] * len(t.places), t.shape, data=False)

    return make


class _NoGrad:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...
    def __call__(self, function: Any) -> Any:
        return function


class Module:
    pass


def _parameter(data: Tensor) -> Tensor:
    data.store.leaf = True
    return data


def _of_one_tensor(name: str) -> Any:
    def run(operand: Tensor) -> Any:
        if not isinstance(operand, Tensor):
            raise TypeError(f"{name} of a number")
        return getattr(operand, name)()

    return run


def fake_torch() -> dict[str, Any]:
    torch, nn = types.ModuleType("torch"), types.ModuleType("torch.nn")
    nn.Module, nn.Parameter = Module, _parameter  # type: ignore[attr-defined]
    for name in (*"add sub mul div pow".split(), *VALUES):
        setattr(torch, name, getattr(Tensor, name))
    for name in "neg square reciprocal clone".split():
        setattr(torch, name, _of_one_tensor(name))
    more = {
        "nn": nn, "Tensor": Tensor, "tensor": _tensor, "stack": _cat, "cat": _cat, "hstack": _cat,
        "float32": None, "zeros": _filled(0), "ones": _filled(1), "zeros_like": _like(0),
        "ones_like": _like(1), "no_grad": _NoGrad, "where": _where,
    }  # fmt: skip
    for name, thing in more.items():
        setattr(torch, name, thing)
    return {"torch": torch, "torch.nn": nn}
