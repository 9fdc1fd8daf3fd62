"""Whether recordings explain what the child reported: which of a method's runs come from recorded
ops, from weights and inputs on."""

from __future__ import annotations

import contextlib
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from msgspec.structs import replace

from ..messages import say
from ..model import VALUE, Observation, Recording
from .calls import NotReplayable, Unsupported
from .forks import MAX_CONSTANTS, contents, numbers_into, untold
from .replay import OWN, Program, Replayed
from .validate import MAX_REPLAYED

RTOL = 1e-6
"""How closely a replay must give the child's own results. The kernels are the same, so only a
recording that leaves something out differs."""

MAX_UNEXPLAINED = 0.02
"""Share of the runs that may stay unexplained, and are then not judged: a number may be typed in
for one run alone."""

How = Literal["replayable", "branches", "observed", "unexplained", "faulty"]


class Unexplained(NotReplayable):
    """A reason that is no refusal to replay: something was calculated out of sight."""


class Path(NamedTuple):
    """One way through a method: its recording, and which runs, by position, it explains.

    A recording explains a run if replaying it at that run's point, in the child's own precision,
    gives the run's own results. That alone proves nothing of the run it was made in: numbers
    calculated out of sight stand in such a recording as constants, and explain it perfectly. So a
    recording counts where it explains another run at another point as well: then its ops, from
    weights and inputs on, are a function that gives both, and a gradient among its results was
    worked out by these ops.

    Where a method branches on values, its runs fall into groups, each with a recording of its own.
    One that explains no run but its own counts where each number in it is in another recording,
    too: what is typed in is, what was calculated for one point is not."""

    recording: Recording
    program: Program
    runs: tuple[int, ...]
    """Those that took it."""
    explained: dict[str, tuple[int, ...]]
    """For each output those whose numbers it gives."""


class Verified(NamedTuple):
    """What became of a method's recordings.

    `replayable`: one path explains every number of every run. `branches`: several do, each of some
    runs. `unexplained`: some numbers come from work that was not recorded, or cannot be replayed;
    `outputs` are those that are explained all the same, and `op` is the op that cannot be replayed.
    `observed`: no number is explained for no more than what a replay cannot do (`Unsupported`), so
    that the child's own numbers are all there is. `faulty`: no run was recorded."""

    how: How
    reason: str
    paths: tuple[Path, ...] = ()
    outputs: frozenset[str] = frozenset()
    op: int | None = None
    refused: bool = False
    """Whether it is unexplained for no more than that it cannot be replayed."""

    @property
    def program(self) -> Program | None:
        """Where there is one path, its program."""
        return self.paths[0].program if len(self.paths) == 1 else None

    def provided(self, replayed: Replayed) -> Replayed:
        """A replay without the outputs that are not explained."""
        kept = {name: own for name, own in replayed.outputs.items() if name in self.outputs}
        return replayed._replace(outputs=kept)


class _Runs(NamedTuple):
    """The runs of a method as the child reported them, at points (P, D), float64."""

    reported: Sequence[Observation]
    points: torch.Tensor

    def path(
        self, recording: Recording, rows: tuple[int, ...], reasons: list[NotReplayable]
    ) -> Path | None:
        """A recording, held against the runs at `rows`: all of it, or the gradients or the value
        alone where the other cannot be replayed; None where nothing can. `reasons` gets why."""
        small = {
            name: slot
            for name, slot in recording.outputs.items()
            if 0 < math.prod(recording.values[slot.value].shape) <= MAX_REPLAYED
        }
        gradients = {name: slot for name, slot in small.items() if name != VALUE}
        value = {name: slot for name, slot in small.items() if name == VALUE}
        for outputs in (value | gradients, gradients, value):
            if not outputs:
                continue
            is_whole = outputs == recording.outputs
            try:
                program = Program(recording if is_whole else replace(recording, outputs=outputs))
                differ = self.differing(program, rows)
                break
            except NotReplayable as problem:
                reasons.append(problem)
        else:
            return None
        explained = {}
        for output in dict.fromkeys(name for row in rows for name in self.reported[row].replayed):
            own = tuple(row for row in rows if row not in differ.get(output, ()))
            # one of several is its own alone: nothing says that its numbers are no constants
            explained[output] = own if len(own) > 1 or len(rows) == 1 else ()
        return Path(recording, program, rows, explained)

    def differing(self, program: Program, at: Sequence[int]) -> dict[str, set[int]]:
        """For each output, which runs, of those at the positions `at`, report another number than
        the replay. Raises NotReplayable."""
        rows = list(at)
        with contextlib.suppress(NotReplayable):  # all at once, kernels may round apart
            together = program.run_at_once(self.points[rows], dtypes=OWN)
            rows = sorted(set().union(*self._off(together, rows).values()))
            if not rows:
                return {}
        return self._off(program.run_each(self.points[rows], dtypes=OWN), rows)

    def _off(self, replayed: Replayed, at: Sequence[int]) -> dict[str, set[int]]:
        """The same of a replay at these runs' points."""
        rows = {name: numbers.tolist() for name, numbers in replayed.outputs.items()}
        off: dict[str, set[int]] = {}
        for row, index in enumerate(at):
            for name in self.reported[index].replayed:
                reported = self.reported[index].tensor(name)
                if name not in rows:  # it is none, or too large for both
                    agrees = reported is None or not reported.data
                elif reported is None:
                    agrees = name == VALUE
                else:
                    agrees = _same(reported.data, rows[name][row])
                if not agrees:
                    off.setdefault(name, set()).add(index)
        return off

    def with_equal(self, path: Path, others: Sequence[int]) -> tuple[Path, tuple[int, ...]]:
        """A path with those of the other runs that it explains as well, and these.

        Where a point makes several values equal, a number that was taken out of a tensor is told
        from none of them, and the run's own recording may name the wrong one."""
        try:
            differing = set().union(*self.differing(path.program, others).values())
        except NotReplayable:
            return path, ()
        equal = tuple(row for row in others if row not in differing)
        explained = {name: (*own, *equal) for name, own in path.explained.items()}
        return path._replace(runs=(*path.runs, *equal), explained=explained), equal


def verify(
    recordings: Sequence[Recording], runs: Sequence[Observation], points: torch.Tensor
) -> Verified:
    """Which recording explains which of the runs, at the points (P, D), float64, representable in
    the dtypes of the child's leaves. Runs without a recording are held against the one that most
    runs made."""
    if not recordings:
        return Verified("faulty", say("no run of it could be recorded"))
    reasons: list[NotReplayable] = []
    all_runs = _Runs(runs, points)
    sound = [index for index, run in enumerate(runs) if run.fault is None]
    rows = defaultdict[int | None, list[int]](list)
    for index in sound:
        rows[runs[index].recording].append(index)
    unrecorded = rows.pop(None, [])
    if unrecorded:
        rows[max(rows, key=lambda taken: len(rows[taken]), default=0)] += unrecorded
    paths: list[Path] = []
    equal: tuple[int, ...] = ()
    for recording, alike in sorted(rows.items(), key=lambda item: -len(item[1])):
        own = tuple(row for row in alike if row not in equal)
        path = all_runs.path(recordings[recording or 0], own, reasons) if own else None
        if path is None:
            continue
        if 2 * len(own) > len(sound) > len(own) and set(path.explained.values()) <= {own}:
            path, equal = all_runs.with_equal(path, [row for row in sound if row not in own])
        paths.append(path)
    parted = untold([path.recording for path in paths], [len(path.runs) for path in paths])
    if parted:
        reason = say("it takes different ways where nothing that it looked at differs")
        reasons.append(Unexplained(reason))
    paths = [path for index, path in enumerate(paths) if index not in parted]
    typed = _typed(paths, recordings)
    if typed != paths:
        reasons.append(Unexplained(say("the numbers in it change from run to run")))
    return _verdict(tuple(typed), len(sound), reasons)


def _typed(paths: list[Path], recordings: Sequence[Recording]) -> list[Path]:
    """The paths, where they explain no output into which numbers go that nobody typed in: of a run
    that took its way alone, a number that is in no other of the recordings; or one of too many sets
    of numbers in paths that run the same ops."""
    if len(paths) == 1 and len(paths[0].runs) > 1:
        return paths
    own_contents = {id(recording): contents(recording) for recording in recordings}
    occurrences = Counter(number for _, own in own_contents.values() for number in own)
    structures = [own_contents[id(path.recording)][0] for path in paths]
    numbers = [{n: numbers_into(path.program.flow, n) for n in path.explained} for path in paths]
    sets = defaultdict[tuple[str, str], set[frozenset[float]]](set)
    for structure, by_output in zip(structures, numbers, strict=True):
        for output, own in by_output.items():
            sets[structure, output].add(own)
    typed = []
    for path, structure, by_output in zip(paths, structures, numbers, strict=True):
        lost: dict[str, tuple[int, ...]] = {
            output: ()
            for output, own in by_output.items()
            if len(sets[structure, output]) > MAX_CONSTANTS
            or (len(path.runs) == 1 and any(occurrences[number] == 1 for number in own))
        }
        typed.append(path._replace(explained=path.explained | lost) if lost else path)
    return typed


def refused(problem: NotReplayable) -> Verified:
    """The verdict on a method that cannot be replayed, for no more than that."""
    how: How = "observed" if isinstance(problem, Unsupported) else "unexplained"
    return Verified(how, problem.reason, op=problem.op, refused=True)


def _verdict(paths: tuple[Path, ...], count: int, reasons: Sequence[NotReplayable]) -> Verified:
    """The verdict on paths that are certain, of `count` runs."""
    names = dict.fromkeys(name for path in paths for name in path.explained)
    lost = {n: count - sum(len(path.explained.get(n, ())) for path in paths) for n in names}
    allowed = 0 if len(paths) == 1 else MAX_UNEXPLAINED * count
    outputs = frozenset(name for name, runs in lost.items() if runs <= allowed)
    if len(outputs) < len(names) or not names:
        if reasons:
            first = next((r for r in reasons if isinstance(r, Unexplained)), reasons[0])
            if all(isinstance(reason, Unsupported) for reason in reasons):
                return refused(first)
            is_refused = not isinstance(first, Unexplained)
            return Verified("unexplained", first.reason, paths, outputs, first.op, is_refused)
        reason = (
            say("its recorded ops do not give its own value on other points")
            if VALUE not in outputs
            else say("its recorded ops do not give its own gradient on other points")
        )
        return Verified("unexplained", reason, paths, outputs)
    if len(paths) == 1:
        return Verified("replayable", "", paths, outputs)
    return Verified("branches", say("it takes different ways on different points"), paths, outputs)


def replay_paths(verified: Verified, points: torch.Tensor) -> tuple[Replayed, torch.Tensor]:
    """Each path in float64 at those of the points (P, D) that it ran, put together: the outputs
    that are explained, NaN where no path leads; and which points have all, (P,) bool.

    Raises NotReplayable where torch refuses one of them."""
    outputs: dict[str, torch.Tensor] = {}
    covered = torch.ones(len(points), dtype=torch.bool)
    for path in verified.paths:
        at = torch.tensor(path.runs)
        for name, numbers in path.program.run_each(points[at]).outputs.items():
            shape = len(points), numbers.shape[1]
            whole = outputs.setdefault(name, torch.full(shape, math.nan, dtype=torch.float64))
            if whole.shape == shape:  # a gradient of another shape on some way is none
                whole[at] = numbers
    for name in verified.outputs:
        own = [row for path in verified.paths for row in path.explained.get(name, ())]
        here = torch.zeros_like(covered)
        here[own] = True
        covered &= here
    return verified.provided(Replayed(outputs, {})), covered


def _same(reported: Sequence[float], replayed: Sequence[float]) -> bool:
    """Whether numbers are near each other, NaN only NaN, and inf itself."""
    return len(reported) == len(replayed) and all(
        math.isclose(one, other, rel_tol=RTOL) or (math.isnan(one) and math.isnan(other))
        for one, other in zip(reported, replayed, strict=True)
    )
