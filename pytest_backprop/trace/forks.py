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
    out.

    After a look that gives numbers any parting is told: they differ from point to point, and what
    is decided by them is not followed.
    """
    lost: set[int] = set()
    groups, position = [([*range(len(recordings))], False)], 0
    while groups:
        longer = []
        for group, is_told in groups:
            parts: dict[str, list[int]] = {}
            for index in group:
                parts.setdefault(_step(recordings[index], position), []).append(index)
            branches = sorted(parts.values(), key=lambda part: sum(runs[index] for index in part))
            if len(branches) > 1 and not is_told and not _is_one_look(recordings, group, position):
                lost.update(*branches[:-1])
                branches = branches[-1:]
            longer += [
                (part, is_told or _gives_numbers(recordings[part[0]], position))
                for part in branches
                if len(part) > 1 and position < len(recordings[part[0]].ops)
            ]
        groups, position = longer, position + 1
    return lost


def _step(recording: Recording, position: int) -> str:
    """What an op does, without where it stands; nothing past the end. A text, as a NaN is no other
    than itself."""
    if position >= len(recording.ops):
        return ""
    op, count = recording.ops[position], len(recording.values)
    data = [recording.values[value].data for value in op.outputs if 0 <= value < count]
    return repr((op.target, op.args, op.kwargs, op.outputs, data))


def _is_one_look(recordings: Sequence[Recording], group: Sequence[int], position: int) -> bool:
    """Whether all of a group look at the same value there: then they differ in the answer."""
    ops = [op for index in group for op in recordings[index].ops[position : position + 1]]
    looks = {(op.target, op.args[:1]) for op in ops if op.context == "python"}
    return len(looks) == 1 and all(op.context == "python" for op in ops) and len(ops) == len(group)


def _gives_numbers(recording: Recording, position: int) -> bool:
    """Whether Python learns numbers there, or a size that depends on values."""
    op = recording.ops[position]
    return op.target in DECIDING or is_sized_by_values(op, recording.values)


def structure_and_numbers(
    ops: Iterable[Op], values: Iterable[Value]
) -> tuple[str, frozenset[float]]:
    """What ops do, without the numbers in them: equal for two recordings that run the same. And
    their numbers and those of values, but for ones so plain that a mask or an index may have given
    them."""
    numbers = {number for value in values for number in value.data}

    def without_numbers(arg: Arg, op: Op) -> object:
        if isinstance(arg, Items):
            return [without_numbers(item, op) for item in arg.items]
        if not isinstance(arg, float):
            return arg
        if op.context != "python":  # there it is an answer
            numbers.add(arg)
        return "number"

    structure = [
        (
            op.target,
            [without_numbers(arg, op) for arg in op.args],
            {key: without_numbers(arg, op) for key, arg in op.kwargs.items()},
            op.outputs,
        )
        for op in ops
    ]
    return repr(structure), frozenset(numbers - PLAIN_NUMBERS)


def numbers_into(flow: DataFlow, output: str) -> frozenset[float]:
    """The numbers that go into an output."""
    recording = flow.recording
    slot = recording.outputs.get(output)
    ops = [recording.ops[position] for position in flow.upstream(flow.sources[output])]
    touched = {v for op in ops for v in (*op.reads, *op.outputs)}
    touched |= set() if slot is None else {slot.value}
    storages = {recording.values[v].storage for v in touched}  # views of one are no ops
    values = [value for value in recording.values if value.storage in storages]
    return structure_and_numbers(ops, values)[1]
