"""Whether a recording tells the truth about what the child reported.

A recording is believed when replaying it, in the child's own precision, gives the child's own
results on every point that it ran. Where it does not, either the pass took another way there
(it branches on values), or work was done where the recorder does not see it: on numbers taken out
of tensors, in numpy, in state left over from elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import torch

from ..messages import say
from ..model import Arg, Items, Observation, Recording, Ref, Symbol, Tensor
from .graph import PLAIN_NUMBERS, DataFlow
from .replay import OWN, NotReplayable, Program

RTOL = 1e-6
"""How closely a replay must give the child's own results. The kernels are the same, so only a
recording that leaves something out differs."""

How = Literal["replayable", "branches", "hidden", "unsupported", "faulty"]


class Verified(NamedTuple):
    """What became of a method's recordings. `program` is there when `how` is `replayable`.

    `branches`: it takes different ways on different points. `hidden`: results depend on work that
    was not recorded. `unsupported`: uses an op that is not replayed. `faulty`: no run recorded.
    """

    how: How
    reason: str
    program: Program | None = None
    op: int | None = None


def verify(
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    weights: torch.Tensor,
    inputs: torch.Tensor,
    weight_dtype: str,
    flow: DataFlow | None = None,
) -> Verified:
    """Replays the first recording on the child's points: `weights` (P, W), `inputs` (P, X),
    float64, representable in the dtype `weight_dtype` of the parameters and in float32."""
    if not recordings:
        return Verified("faulty", say("no run of it could be recorded"))
    try:
        program = Program(recordings[0], flow)
        # in the child's own precision: rounding must not look like hidden work
        dtype = OWN.get(weight_dtype, torch.float32)
        replayed = program.run_as_recorded(weights, inputs, dtype)
    except NotReplayable as problem:
        return Verified("unsupported", problem.reason, op=problem.op)
    differs = _differing(replayed.result, replayed.gradients, runs)
    if differs is None:
        return Verified("replayable", "", program)
    if decides(recordings) or len({structure(recording) for recording in recordings}) > 1:
        if not _constants_move(recordings):
            return Verified("branches", say("it takes different ways on different points"))
        return Verified("hidden", say("it calculates with numbers taken out of tensors"))
    if differs == "value":
        return Verified("hidden", say("its recorded ops do not give its own value on other points"))
    return Verified("hidden", say("its recorded ops do not give its own gradient on other points"))


def decides(recordings: Sequence[Recording]) -> bool:
    """Whether Python looked at a tensor in a way on which the pass may branch. Then a replay that
    holds on a few points may still miss a branch."""
    return any(
        op.context == "python" and op.target != "python::repr"
        for recording in recordings
        for op in recording.ops
    )


def structure(recording: Recording) -> tuple[object, ...]:
    """What a recording did, without the numbers: equal for two runs that took the same way."""
    return tuple(
        (op.target, _shape(op.args), op.outputs) for op in recording.ops if op.context != "python"
    )


def _constants_move(recordings: Sequence[Recording]) -> bool:
    """Whether runs that took the same way used different numbers, so computed them unseen.

    Plain numbers are choices (`1.0 if d.item() > 0 else 0.0`), not results.
    """
    seen: dict[tuple[object, ...], set[float]] = {}
    for recording in recordings:
        numbers = {n for op in recording.ops for n in _constants(op.args)}
        numbers.update(n for value in recording.values for n in value.data)
        numbers -= PLAIN_NUMBERS
        if seen.setdefault(structure(recording), numbers) != numbers:
            return True
    return False


def _constants(arg: Arg | tuple[Arg, ...]) -> Iterator[float]:
    if isinstance(arg, tuple):
        for item in arg:
            yield from _constants(item)
    elif isinstance(arg, Items):
        yield from _constants(arg.items)
    elif isinstance(arg, int | float) and not math.isnan(arg):
        yield float(arg)


def _shape(arg: Arg | tuple[Arg, ...]) -> object:
    if isinstance(arg, tuple):
        return tuple(_shape(item) for item in arg)
    if isinstance(arg, Items):
        return _shape(arg.items)
    if isinstance(arg, Ref):
        return arg.value
    if isinstance(arg, Symbol):
        return arg.text
    return "number"


def _differing(
    result: torch.Tensor | None,
    gradients: Sequence[torch.Tensor | None],
    runs: Sequence[Observation],
) -> str | None:
    """What the child reported otherwise than the replay: `value`, `gradient`, or nothing."""
    values = None if result is None else result.tolist()
    columns = [None if gradient is None else gradient.tolist() for gradient in gradients]
    for index, run in enumerate(runs):
        if run.fault is not None:
            continue
        if values is not None and isinstance(run.result, Tensor):
            data = run.result.data  # a wrong shape is told elsewhere
            if len(data) == 1 and not _same(data[0], values[index]):
                return "value"
        for told, column in zip(run.gradients, columns, strict=False):
            if (told is None) != (column is None):
                return "gradient"
            if told is not None and column is not None and not _same(told, column[index]):
                return "gradient"
    return None


def _same(told: float, replayed: float) -> bool:
    if math.isnan(told) or math.isnan(replayed):
        return math.isnan(told) and math.isnan(replayed)
    # inf is close to itself
    return math.isclose(told, replayed, rel_tol=RTOL)
