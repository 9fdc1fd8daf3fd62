"""Whether recordings explain what the child reported: which of a method's runs come from recorded
ops, from weights and inputs on.

A recording explains a run if replaying it at that run's point, in the child's own precision, gives
the run's own results. That alone proves nothing of the run it was made in: numbers calculated out
of sight stand in such a recording as constants, and explain it perfectly. So a recording counts
where it explains another run at another point as well. Where a method branches on values, its
runs fall into groups, each with a recording of its own; one that explains no run but its own counts
where each number in it is in another recording, too: what is typed in is, what was calculated for one
point is not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import torch
from msgspec.structs import replace

from ..messages import say
from ..model import Observation, Recording
from .calls import NotReplayable, Unsupported
from .forks import all_constants, constants, structure, untold
from .replay import OWN, Program
from .replayed import Replayed
from .watched import COPIES

RTOL = 1e-6
"""How closely a replay must give the child's own results. The kernels are the same, so only a
recording that leaves something out differs."""

MAX_UNEXPLAINED = 0.02
"""Share of the runs that may stay unexplained, and are then not judged: a number may be typed in for one run alone."""

MAX_CONSTANTS = 8
"""Ways that do the same ops may have so many sets of numbers typed in. More are not typed: such numbers
are calculated for one region after another, as of an expansion about a point."""

SHARED = {f"python::{look}" for look in COPIES - {"tolist"}}
"""Looks by which Python has a tensor's own memory, and may write there."""

How = Literal["replayable", "branches", "observed", "unexplained", "faulty"]


class Unexplained(NotReplayable):
    """A reason that is no refusal to replay: something was calculated out of sight."""


class Path(NamedTuple):
    """One way through a method: its recording, and which runs, by position, it explains: `value`,
    and each of `gradients`."""

    recording: Recording
    program: Program
    runs: tuple[int, ...]
    """Those that took it."""
    explained: tuple[tuple[int, ...], ...]
    """For each output (the value, then the gradients) those whose numbers it gives."""

    def without(self, outputs: Iterable[int]) -> Path:
        """The path where it explains none of these outputs."""
        lost = set(outputs)
        explained = (() if output in lost else own for output, own in enumerate(self.explained))
        return self._replace(explained=tuple(explained))


class Verified(NamedTuple):
    """What became of a method's recordings.

    `replayable`: one path explains every number of every run. `branches`: several do, each of some
    runs. `unexplained`: some numbers come from work that was not recorded, or cannot be replayed;
    `outputs` are those that are explained all the same (0 is the value, 1 + i the gradient of weight
    i), and `op` is the op that cannot be replayed. `observed`: for no more than what a replay cannot do (`Unsupported`)
    it is none, so that the child's own numbers are all there is. `faulty`: no run was recorded.
    """

    how: How
    reason: str
    paths: tuple[Path, ...] = ()
    outputs: frozenset[int] = frozenset()
    op: int | None = None
    refused: bool = False
    """Whether it is unexplained for no more than that it cannot be replayed."""

    @property
    def program(self) -> Program | None:
        """Where there is one path, its program."""
        return self.paths[0].program if len(self.paths) == 1 else None

    def provided(self, replayed: Replayed) -> Replayed:
        """A replay without the outputs that are not explained."""
        return replayed._replace(
            result=replayed.result if 0 in self.outputs else None,
            gradients=tuple(
                gradient if 1 + index in self.outputs else None
                for index, gradient in enumerate(replayed.gradients)
            ),
        )


def verify(
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
) -> Verified:
    """Whether the first recording explains all runs: at `weights` (P, W), `inputs` (P, X), float64,
    representable in the dtype `weight_dtype` of the parameters and in float32."""
    if not recordings:
        return Verified("faulty", say("no run of it could be recorded"))
    rows = tuple(range(len(runs)))
    reasons: list[NotReplayable] = []
    path = _path(recordings[0], rows, runs, weights, inputs, weight_dtype, reasons)
    sound = len([run for run in runs if run.fault is None])
    return _settled(() if path is None else (path,), sound, reasons)


def explain(
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
) -> Verified:
    """Which recording explains which of the runs, all of which were recorded: at `weights` (P, W), `inputs` (P, X), as
    of `verify`."""
    paths: list[Path] = []
    reasons: list[NotReplayable] = []
    sound = [index for index, run in enumerate(runs) if run.fault is None]
    if any(runs[index].recording is None for index in sound):
        reasons.append(Unexplained(say("it runs other ops at every point")))
    rows: dict[int, list[int]] = {}
    for index in sound:
        taken = runs[index].recording
        if taken is not None:
            rows.setdefault(taken, []).append(index)
    numbers = {taken: all_constants(recordings[taken]) for taken in rows}
    occurrences = Counter(number for own in numbers.values() for number in own)
    usual: Path | None = None
    typed_in: frozenset[float] = frozenset()
    calculated = False
    for taken, alike in sorted(rows.items(), key=lambda item: -len(item[1])):
        own = tuple(alike)
        if usual is not None and numbers[taken] <= typed_in:
            usual, own = _with_equal_runs(usual, own, runs, weights, inputs, weight_dtype)
            paths[0] = usual
        if not own:
            continue
        path = _path(recordings[taken], own, runs, weights, inputs, weight_dtype, reasons)
        if path is None:
            continue
        lone = _without_own_numbers(path, occurrences) if len(own) == 1 else path
        calculated = calculated or lone.explained != path.explained
        paths.append(lone)
        if 2 * len(own) > len(sound) and all(e == own for e in path.explained):
            usual, typed_in = path, numbers[taken]  # the first, as it comes
    parted = untold([path.recording for path in paths], [len(path.runs) for path in paths])
    if parted:
        reason = say("it takes different ways where nothing that it looked at differs")
        reasons.append(Unexplained(reason))
    paths = [path for index, path in enumerate(paths) if index not in parted]
    moving = _moving_numbers(paths)
    if calculated or any(moving):
        reasons.append(Unexplained(say("the numbers in it change from run to run")))
    paths = [path.without(outputs) for path, outputs in zip(paths, moving, strict=True)]
    return _settled(tuple(paths), len(sound), reasons)


def _without_own_numbers(path: Path, occurrences: Mapping[float, int]) -> Path:
    """A path of one run without the outputs into which a number goes that is in no other recording."""
    flow = path.program.flow
    return path.without(
        output
        for output in range(len(path.explained))
        if any(occurrences[number] == 1 for number in constants(flow, output))
    )


def _with_equal_runs(
    usual: Path,
    rows: tuple[int, ...],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
) -> tuple[Path, tuple[int, ...]]:
    """The path that most runs took with those of other runs that it explains as well, and the rest.

    Where a point makes several values equal, a number that was taken out of a tensor is told from
    none of them, and the run's own recording may name the wrong one."""
    try:
        differ = _differing(usual.program, rows, runs, weights, inputs, weight_dtype)
    except NotReplayable:
        return usual, rows
    other = set().union(*differ.values())
    equal = tuple(row for row in rows if row not in other)
    explained = tuple((*own, *equal) for own in usual.explained)
    rest = tuple(row for row in rows if row in other)
    return usual._replace(runs=(*usual.runs, *equal), explained=explained), rest


def may_hide(recordings: Sequence[Recording]) -> bool:
    """Whether something may have been calculated out of sight: recordings that run the same ops hold too many sets of
    numbers, or numbers that were not sent along, or memory was given away, in which no op is seen."""
    sets: dict[str, set[frozenset[float]]] = {}
    for recording in recordings:
        unsent = any(
            value.origin in ("constant", "foreign") and len(value.data) != math.prod(value.shape)
            for value in recording.values
        )
        if unsent or any(op.target in SHARED for op in recording.ops):
            return True
        sets.setdefault(structure(recording), set()).add(all_constants(recording))
    return any(len(each) > MAX_CONSTANTS for each in sets.values())


def _moving_numbers(paths: Sequence[Path]) -> list[set[int]]:
    """For each path the outputs into which numbers go that are others in too many of the paths that
    run the same ops."""
    same: dict[tuple[int, str], set[frozenset[float]]] = {}
    keys: list[dict[int, tuple[int, str]]] = []
    for path in paths:
        flow, ways = path.program.flow, structure(path.recording)
        keys.append({})
        for output in range(len(path.explained)):
            key = keys[-1][output] = (output, ways)
            same.setdefault(key, set()).add(constants(flow, output))
    return [{o for o, key in own.items() if len(same[key]) > MAX_CONSTANTS} for own in keys]


def refused(problem: NotReplayable) -> Verified:
    """The verdict on a method that cannot be replayed, for no more than that."""
    how: How = "observed" if isinstance(problem, Unsupported) else "unexplained"
    return Verified(how, problem.reason, op=problem.op, refused=True)


def _settled(paths: tuple[Path, ...], count: int, reasons: Sequence[NotReplayable]) -> Verified:
    """The verdict on paths that are certain, of `count` runs."""
    width = max((len(path.explained) for path in paths), default=0)
    lost = {
        output: count - sum(len(path.explained[output]) for path in paths)
        for output in range(width)
    }
    allowed = 0 if len(paths) == 1 else MAX_UNEXPLAINED * count
    outputs = frozenset(output for output, runs in lost.items() if runs <= allowed)
    if len(outputs) < width or not width:
        if reasons:
            first = next((r for r in reasons if isinstance(r, Unexplained)), reasons[0])
            if all(isinstance(reason, Unsupported) for reason in reasons):
                return refused(first)
            is_refused = not isinstance(first, Unexplained)
            return Verified("unexplained", first.reason, paths, outputs, first.op, is_refused)
        reason = (
            say("its recorded ops do not give its own value on other points")
            if 0 not in outputs
            else say("its recorded ops do not give its own gradient on other points")
        )
        return Verified("unexplained", reason, paths, outputs)
    if len(paths) == 1:
        return Verified("replayable", "", paths, outputs)
    return Verified("branches", say("it takes different ways on different points"), paths, outputs)


def _path(
    recording: Recording,
    rows: tuple[int, ...],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
    reasons: list[NotReplayable],
) -> Path | None:
    """A recording, held against the runs at `rows`: all of it, or the gradients or the value alone
    where the other cannot be replayed; None where nothing can. `reasons` gets why."""
    rows = tuple(row for row in rows if runs[row].fault is None)
    none = (None,) * len(recording.gradients)
    for part in (recording, replace(recording, result=None), replace(recording, gradients=none)):
        if part.result is None and part.gradients == none:
            continue
        try:
            program = Program(part)
            differ = _differing(program, rows, runs, weights, inputs, weight_dtype)
            break
        except NotReplayable as problem:
            reasons.append(problem)
    else:
        return None
    explained = []
    for output in range(1 + len(recording.gradients)):
        own = tuple(row for row in rows if row not in differ.get(output, ()))
        # one of several is its own alone: nothing says that its numbers are no constants
        explained.append(own if len(own) > 1 or len(rows) == 1 else ())
    return Path(recording, program, rows, tuple(explained))


def decides(recordings: Iterable[Recording]) -> bool:
    """Whether Python looked, in a way on which the pass may branch, at a tensor that depends on a weight or an input.
    Then a replay that holds on a few points may still miss a branch. Labels are the same at all points."""
    return any(map(_decides, recordings))


def _decides(recording: Recording) -> bool:
    values = recording.values
    varying = {value.storage for value in values if value.origin in ("weight", "input")}
    for op in recording.ops:
        if varying.isdisjoint(values[v].storage for v in (*op.reads, *op.writes)):
            continue
        if op.context == "python" and op.target != "python::repr":
            return True
        varying.update(values[v].storage for v in (*op.writes, *op.outputs))
    return False


def replay_paths(
    verified: Verified, weights: torch.Tensor, inputs: torch.Tensor
) -> tuple[Replayed, torch.Tensor]:
    """Each path in float64 at the points (P, W), (P, X) of its own runs, put together: outputs (P,),
    None for one that is not explained, NaN where no path leads; and which points have all, (P,) bool.

    Raises NotReplayable where torch refuses one of them.
    """
    width = max(len(path.explained) for path in verified.paths)
    columns = torch.full((width, len(weights)), math.nan, dtype=torch.float64)
    covered = torch.zeros((width, len(weights)), dtype=torch.bool)
    for path in verified.paths:
        at = torch.tensor(path.runs)
        part = path.program.run_each(weights[at], inputs[at])
        for output, numbers in enumerate((part.result, *part.gradients)):
            own = torch.tensor(path.explained[output], dtype=torch.long)
            covered[output, own] = True
            if numbers is not None:
                columns[output, at] = numbers
    explained = sorted(verified.outputs)
    replayed = Replayed(columns[0], tuple(columns[1:]), {})
    return verified.provided(replayed), covered[explained].all(0)


def _differing(
    program: Program,
    at: Sequence[int],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
) -> dict[int, set[int]]:
    """For each output, which runs, of those at the positions `at`, report another number than the
    replay. Raises NotReplayable."""
    dtype = OWN.get(weight_dtype, torch.float32)
    rows = torch.tensor(list(at), dtype=torch.long)
    together = program.run_as_recorded(weights[rows], inputs[rows], dtype)
    if together is not None:
        off = set().union(*_off(together, at, runs).values())
        at = [index for index in at if index in off]
        if not at:
            return {}
        rows = torch.tensor(at, dtype=torch.long)
    return _off(program.run_each(weights[rows], inputs[rows], dtype), at, runs)


def _off(replayed: Replayed, at: Sequence[int], runs: Sequence[Observation]) -> dict[int, set[int]]:
    """For each output, which of the runs at the positions `at` report another number than the replay of theirs."""
    columns = [
        None if numbers is None else numbers.tolist()
        for numbers in (replayed.result, *replayed.gradients)
    ]
    found: dict[int, set[int]] = {}
    for row, index in enumerate(at):
        reported = runs[index].numbers
        for output, (told, column) in enumerate(zip(reported, columns, strict=False)):
            if told is None and (column is None or not output):
                continue
            if told is None or column is None or not _same(told, column[row]):
                found.setdefault(output, set()).add(index)
    return found


def _same(told: float, replayed: float) -> bool:
    if math.isnan(told) or math.isnan(replayed):
        return math.isnan(told) and math.isnan(replayed)
    # inf is close to itself
    return math.isclose(told, replayed, rel_tol=RTOL)
