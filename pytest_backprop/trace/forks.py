"""Where the runs of a method take different ways: only after a look at a tensor may they.

The recorder notes each truth that Python takes out of a tensor, with the answer. Two runs with the
same answers so far that go on differently were told by something else which way to go, and what
told them was not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model import Arg, Items, Op, Recording, Value
from .graph import PLAIN_NUMBERS, DataFlow, is_sized_by_values
from .watched import NUMBERS

DECIDING = NUMBERS - {f"python::{look}" for look in ("storage", "pointer", "dlpack", "apply")}
"""Looks by which Python can decide: not those that give away where a tensor lies."""


def untold(recordings: Sequence[Recording], runs: Sequence[int]) -> set[int]:
    """The recordings, by position, that part from the others where nothing that was looked at
    differs. `runs` counts the runs of each: of those that part so, the one most taken is left
    out."""
    lost: set[int] = set()
    todo = [(list(range(len(recordings))), 0)]
    while todo:
        group, position = todo.pop()
        decided = any(_gives_numbers(recordings[group[0]], p) for p in range(position))
        while len(group) > 1:
            parts: dict[object, list[int]] = {}
            for index in group:
                parts.setdefault(_key(recordings[index], position), []).append(index)
            if len(parts) > 1:
                break
            if None in parts:  # all have ended
                group = []
                break
            decided = decided or _gives_numbers(recordings[group[0]], position)
            position += 1
        if len(group) < 2:
            continue
        branches = list(parts.values())
        if not decided and not _is_answer(recordings, group, position):
            branches.sort(key=lambda part: sum(runs[index] for index in part))
            lost.update(index for part in branches[:-1] for index in part)
            branches = branches[-1:]
        todo.extend((part, position + 1) for part in branches)
    return lost


def _is_answer(recordings: Sequence[Recording], group: Sequence[int], position: int) -> bool:
    """Whether all of a group look at the same value there: then they differ in the answer."""
    asked = set()
    for index in group:
        ops = recordings[index].ops
        if position >= len(ops) or ops[position].context != "python":
            return False
        asked.add((ops[position].target, ops[position].args[:1]))
    return len(asked) == 1


def _gives_numbers(recording: Recording, position: int) -> bool:
    """Whether Python learns numbers there, or a size that depends on values: they differ from point
    to point, and what is decided by them is not followed."""
    if position >= len(recording.ops):
        return False
    op = recording.ops[position]
    return op.target in DECIDING or is_sized_by_values(op, recording.values)


def _key(recording: Recording, position: int) -> object:
    """What an op does, without where it stands; None past the end."""
    if position >= len(recording.ops):
        return None
    op: Op = recording.ops[position]
    data = tuple(recording.values[v].data for v in op.outputs if 0 <= v < len(recording.values))
    # as text: a NaN is no other than itself
    return op.target, repr((op.args, op.kwargs, op.outputs, data))


def structure(recording: Recording) -> str:
    """What a recording does, without the numbers in it: equal for two that run the same ops."""
    return repr(
        [
            (
                op.target,
                _without_numbers(op.args),
                [*op.kwargs],
                _without_numbers(op.kwargs.values()),
                op.outputs,
            )
            for op in recording.ops
        ]
    )


def constants(flow: DataFlow, output: str) -> frozenset[float]:
    """The numbers that go into an output, and are not so plain that a mask or an index may have
    given them."""
    recording = flow.recording
    slot = recording.outputs.get(output)
    values = set() if slot is None else {slot.value}
    ops = [recording.ops[position] for position in flow.upstream(flow.sources[output])]
    for op in ops:
        values.update((*op.reads, *op.outputs))
    storages = {recording.values[value].storage for value in values}  # views of one are no ops
    return _numbers_in(ops, [value for value in recording.values if value.storage in storages])


def all_constants(recording: Recording) -> frozenset[float]:
    """The same of all that is in a recording, whatever it goes into."""
    return _numbers_in(recording.ops, recording.values)


def _numbers_in(ops: Iterable[Op], values: Iterable[Value]) -> frozenset[float]:
    found: set[float] = set()
    for op in ops:
        if op.context != "python":
            _collect((*op.args, *op.kwargs.values()), found)
    for value in values:
        found.update(value.data)
    return frozenset(found - PLAIN_NUMBERS)


def _without_numbers(args: Iterable[Arg]) -> list[object]:
    return [
        _without_numbers(arg.items)
        if isinstance(arg, Items)
        else "number"
        if isinstance(arg, float)
        else arg
        for arg in args
    ]


def _collect(args: Iterable[Arg], found: set[float]) -> None:
    for arg in args:
        if isinstance(arg, Items):
            _collect(arg.items, found)
        elif isinstance(arg, float):
            found.add(arg)
