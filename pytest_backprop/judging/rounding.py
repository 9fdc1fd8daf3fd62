"""Points at which a right formula has no digits left: `log(1 - p)` where p is nearly 1, or `(t +
1e13) - 1e13`. There its own roundings, in float64, change what comes out as much as it is off,
which no mistake in a formula does."""

from __future__ import annotations

import torch

from ..trace.calls import NotReplayable
from .case import Method, Tolerance
from .compare import Mismatch, wrong_at

MOSTLY = 0.5
"""Of the judged points: what differs at more of them than this is another function."""
RUNS = 16
TIMES = 4.0
"""How many times the change by roundings a difference may be: now and then all go one way."""
ULP = 2.0**-52


def is_drowned(
    method: Method,
    output: str,
    element: int,
    judged: torch.Tensor,
    tolerance: Tolerance,
    mismatch: Mismatch,
) -> bool:
    """Whether all that differs in an element of an output at the judged points (N,) is rounding, and not at most of
    them."""
    program, replayed = method.verified.program, method.replayed
    if program is None or replayed is None or mismatch.failed > MOSTLY * mismatch.judged:
        return False
    got, right = (of.outputs[output][:, element] for of in (replayed, method.expected))
    at = wrong_at(got, right, judged, tolerance).nonzero().flatten()
    generator = torch.Generator().manual_seed(53)

    def rounded(position: int, value: torch.Tensor) -> torch.Tensor:
        steps = torch.randint(-1, 2, value.shape, generator=generator, dtype=torch.float64)
        return value * (1 + ULP * steps)

    weights, inputs = method.expected.weights[at], method.expected.inputs[at]
    try:
        again = program.run_anyhow(weights.repeat(RUNS, 1), inputs.repeat(RUNS, 1), rounded)
    except NotReplayable:
        return False
    numbers = again.outputs[output][:, element]
    changes = (numbers.reshape(RUNS, -1) - got[at]).abs().nan_to_num(torch.inf).amax(0)
    off = (got[at] - right[at]).abs()
    return bool((torch.isfinite(off) & (off <= TIMES * changes)).all())
