"""Whether a recording tells the truth about what the child reported.

A recording is believed when replaying it, in the child's own precision, gives the child's own
results on every point that it ran. Where it does not, either the pass took another way there
(it branches on values), or work was done where the recorder does not see it: on numbers taken out
of tensors, in numpy, in state left over from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch

from ..model import Arg, Items, Observation, Op, Recording, Ref, Symbol, Tensor
from .graph import DataFlow
from .replay import NotReplayable, Program

RTOL = 1e-4
ATOL = 1e-6
"""How closely a replay must give the child's own float32 results: kernels for one number and for
many round differently, by a few units in the last place an op."""

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
    judged: torch.Tensor,
    flow: DataFlow | None = None,
) -> Verified:
    """Replays the first recording on the child's points: `weights` (P, W), `inputs` (P, X),
    float64; `judged` (P,) marks those well-conditioned enough for the comparison to mean anything.
    """
    if not recordings:
        return Verified("faulty", "no run of it could be recorded")
    try:
        program = Program(recordings[0], flow)
        # in the child's own precision: rounding must not look like hidden work
        replayed = program.run(weights.float(), inputs.float())
    except NotReplayable as problem:
        return Verified("unsupported", problem.reason, op=problem.op)
    differs = _differing(replayed.result, replayed.gradients, runs, judged)
    if differs is None:
        return Verified("replayable", "", program)
    looks = [op for recording in recordings for op in recording.ops if op.context == "python"]
    ways = {structure(recording) for recording in recordings}
    if len(ways) > 1 or any(op.target == "python::bool" for op in looks):
        if not _constants_move(recordings):
            return Verified("branches", "it takes different ways on different points")
        return Verified("hidden", "it calculates with numbers taken out of tensors")
    return Verified("hidden", f"its recorded ops do not give its own {differs} on other points")


def structure(recording: Recording) -> tuple[object, ...]:
    """What a recording did, without the numbers: equal for two runs that took the same way."""
    return tuple(
        (op.target, _shape(op.args), op.outputs) for op in recording.ops if op.context != "python"
    )


def _constants_move(recordings: Sequence[Recording]) -> bool:
    """Whether runs that took the same way used different numbers, so computed them unseen."""
    seen: dict[tuple[object, ...], tuple[Op, ...]] = {}
    for recording in recordings:
        known = seen.setdefault(structure(recording), recording.ops)
        if any(a.args != b.args for a, b in zip(known, recording.ops, strict=False)):
            return True
    return False


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
    judged: torch.Tensor,
) -> str | None:
    """What the child reported otherwise than the replay: `value`, `gradient`, or nothing."""
    for index, run in enumerate(runs):
        if run.fault is not None or not bool(judged[index]):
            continue
        if result is not None and isinstance(run.result, Tensor):
            data = run.result.data
            if len(data) != 1 or not _same(data[0], result[index]):
                return "value"
        for told, gradient in zip(run.gradients, gradients, strict=False):
            if (told is None) != (gradient is None):
                return "gradient"
            if told is not None and gradient is not None and not _same(told, gradient[index]):
                return "gradient"
    return None


def _same(told: float, replayed: torch.Tensor) -> bool:
    return bool(
        torch.isclose(
            torch.tensor(told, dtype=torch.float64),
            replayed.to(torch.float64),
            rtol=RTOL,
            atol=ATOL,
            equal_nan=True,
        )
    )
