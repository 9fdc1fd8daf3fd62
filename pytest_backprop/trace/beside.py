"""Values that a pass lays beside its result or its gradients, into the same memory: `torch.stack([y, a, b])[0]`
keeps a and b as long as y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Life, Op
from .graph import MOVING, DataFlow, op_name


@dataclass
class _Held:
    """What lies in one element: whose value it is, since which op, and which was the last to read it there."""

    value: Life
    last_use: int
    where: str | None


def kept_beside(flow: DataFlow) -> Iterator[Life]:
    """The lives of such values, from where they were made to where they are gone from there, too. What is copied is
    known by the storage that it was made in."""
    lives = {life.storage: life for life in flow.recording.lives}
    shared = {storage for storage, _ in flow.asked} & lives.keys()
    held: dict[tuple[int, int], _Held] = {}
    for position, op in enumerate(flow.recording.ops):
        if position in flow.views:
            continue
        for element in _elements(flow, flow.data_reads(position), shared):
            if element in held:
                held[element].last_use = position
        made = [v for v in op.outputs if position == _born(flow, lives, v)]
        written = list(_elements(flow, (*op.writes, *made), shared))
        # what one op calculates is one value
        is_one = op_name(op) not in MOVING and not flow.asked.isdisjoint(written)
        for at, element in enumerate(written):
            if element in held:
                yield _life(held.pop(element), position)
            if is_one or element in flow.asked or element[1] < 0:
                continue
            value = _value(flow, lives, position, at, element[0])
            if value is not None:
                held[element] = _Held(value, position, op.name)
    for (storage, _), what in held.items():
        yield _life(what, lives[storage].dead_by)


def _life(held: _Held, dead_by: int | None) -> Life:
    last_use = max(held.last_use, held.value.last_use)
    holders = () if held.where is None else (f"{held.where}[...]",)
    return Life(held.value.storage, held.value.born, last_use, dead_by, holders)


def _elements(
    flow: DataFlow, values: tuple[int, ...], shared: set[int]
) -> Iterator[tuple[int, int]]:
    for value in values:
        storage = flow.recording.values[value].storage
        if storage in shared:
            for place in flow.positions(value):
                yield storage, place


def _born(flow: DataFlow, lives: dict[int, Life], value: int) -> int | None:
    life = lives.get(flow.recording.values[value].storage)
    return None if life is None else life.born


def _value(
    flow: DataFlow, lives: dict[int, Life], position: int, at: int, storage: int
) -> Life | None:
    """Whose value an op puts into an element, number `at` of what it writes; None for a leaf's, a number's, and for
    what may be kept."""
    op: Op = flow.recording.ops[position]
    reads = flow.data_reads(position)
    if op_name(op) in MOVING:
        part = flow.part_of(position, at) if len(reads) > 1 else None
        reads = reads if part is None else (part,)
        sources = [flow.recording.values[value].storage for value in reads]
        found = [lives[s] for s in sources if s in lives and s not in flow.exempt_storages]
        return found[-1] if found else None
    return Life(storage, position, position, None) if reads else None
