"""Runs of a method that take different ways, or differ in the numbers that are typed in.

What Python does next is a function of what it has learned: of the answers of its looks at tensors.
The recorder notes each truth that Python takes out, with the answer. So two runs that have had the
same answers, and go on differently, were told by something that was not recorded. And ways that
run the same ops have the same numbers typed in, or a few sets of them: more are calculated, out of
sight."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ..model import Arg, Items, Op, Recording, Value
from .graph import PLAIN_NUMBERS, DataFlow, is_sized_by_values
from .watched import COPIES, NUMBERS

DECIDING = NUMBERS - {f"python::{look}" for look in ("storage", "pointer", "dlpack", "apply")}
"""Looks by which Python can decide: not those that give away where a tensor lies."""

SHARED = {f"python::{look}" for look in COPIES - {"tolist"}}
"""Looks by which Python has a tensor's own memory, and may write there."""

MAX_CONSTANTS = 8
"""Ways that do the same ops may have so many sets of numbers typed in. More are not typed: such
numbers are calculated for one region after another, as of an expansion about a point."""


def untold(recordings: Sequence[Recording], runs: Sequence[int]) -> set[int]:
    """The recordings, by position, that have had the same answers as others and go on otherwise, up
    to the next look, where more runs go the other way. `runs` counts the runs of each.

    After a look that gives numbers any parting is told: they differ from point to point, and what
    is decided by them is not followed."""
    if len(recordings) < 2:
        return set()
    ways = defaultdict[int, Counter[str]](Counter)
    """By the answers so far how many runs go on how. As text, since a NaN is no other than
    itself."""
    answers: dict[tuple[int, str], int] = {}
    own = []
    for recording, count in zip(recordings, runs, strict=True):
        learned, steps, ways_taken = 0, list[object](), list[tuple[int, str]]()
        for op in recording.ops:
            if op.context == "python":
                steps.append((op.target, op.args[:1]))
            else:
                data = [recording.values[value].data for value in op.outputs]
                steps.append((op.target, op.args, op.kwargs, op.outputs, data))
            if op.target in DECIDING or is_sized_by_values(op, recording.values):
                break
            if op.context == "python":
                ways_taken.append((learned, repr(steps)))
                learned = answers.setdefault((learned, repr(op.args[1:])), len(answers) + 1)
                steps = []
        ways_taken.append((learned, repr(steps)))
        own.append(ways_taken)
        for learned, way in ways_taken:
            ways[learned][way] += count
    usual = {learned: max(taken, key=taken.__getitem__) for learned, taken in ways.items()}
    return {
        index
        for index, ways_taken in enumerate(own)
        if any(way != usual[learned] for learned, way in ways_taken)
    }


def decides(recordings: Iterable[Recording]) -> bool:
    """Whether Python looked, in a way on which the pass may branch, at a tensor that depends on a
    weight or an input. Then a replay that holds on a few points may still miss a branch. Labels are
    the same at all points."""
    for recording in recordings:
        values = recording.values
        varying = {value.storage for value in values if value.origin in ("weight", "input")}
        for op in recording.ops:
            if varying.isdisjoint(values[v].storage for v in (*op.reads, *op.writes)):
                continue
            if op.context == "python" and op.target != "python::repr":
                return True
            varying.update(values[v].storage for v in (*op.writes, *op.outputs))
    return False


def contents(recording: Recording) -> tuple[str, frozenset[float]]:
    """What a recording does, without the numbers in it: equal for two recordings that run the same.
    And these numbers, as of `numbers_of`."""
    structure = [
        (
            op.target,
            [_without_numbers(arg) for arg in op.args],
            {key: _without_numbers(arg) for key, arg in op.kwargs.items()},
            op.outputs,
        )
        for op in recording.ops
    ]
    return repr(structure), numbers_of(recording.ops, recording.values)


def _without_numbers(arg: Arg) -> object:
    if isinstance(arg, Items):
        return [_without_numbers(item) for item in arg.items]
    return "number" if isinstance(arg, float) else arg


def numbers_of(ops: Iterable[Op], values: Iterable[Value]) -> frozenset[float]:
    """The numbers of ops and values, but for ones so plain that a mask or an index may have given
    them. What Python got of a tensor is an answer, and none."""
    numbers = {number for value in values for number in value.data}
    args = [arg for op in ops if op.context != "python" for arg in (*op.args, *op.kwargs.values())]
    while args:
        arg = args.pop()
        if isinstance(arg, float):
            numbers.add(arg)
        elif isinstance(arg, Items):
            args += arg.items
    return frozenset(numbers - PLAIN_NUMBERS)


def numbers_into(flow: DataFlow, output: str) -> frozenset[float]:
    """The numbers that go into an output."""
    recording = flow.recording
    slot = recording.outputs.get(output)
    ops = [recording.ops[position] for position in flow.serving(output)]
    touched = {v for op in ops for v in (*op.reads, *op.outputs)}
    touched |= set() if slot is None else {slot.value}
    storages = {recording.values[v].storage for v in touched}  # views of one are no ops
    values = [value for value in recording.values if value.storage in storages]
    return numbers_of(ops, values)


def may_hide(recordings: Sequence[Recording]) -> bool:
    """Whether something may have been calculated out of sight: recordings that run the same ops
    hold too many sets of numbers, or numbers that were not sent along, or memory was given away, in
    which no op is seen."""
    sets = defaultdict[str, set[frozenset[float]]](set)
    for recording in recordings:
        unsent = any(
            value.origin in ("constant", "foreign") and len(value.data) != math.prod(value.shape)
            for value in recording.values
        )
        if unsent or any(op.target in SHARED for op in recording.ops):
            return True
        structure, numbers = contents(recording)
        sets[structure].add(numbers)
    return any(len(each) > MAX_CONSTANTS for each in sets.values())
