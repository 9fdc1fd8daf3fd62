"""Points at which a right formula has no digits left: `log(1 - p)` where p is nearly 1. There its own roundings, in
float64, change what comes out as much as it is off, which no mistake in a formula does."""

from __future__ import annotations

import torch

from ...trace.calls import NotReplayable
from .cancelling import Rounding
from .case import Method, Tolerance
from .compare import Mismatch, wrong_at

RARE = 0.1
"""Of the judged points; what differs at more of them is another function."""
RUNS = 16
TIMES = 4.0
"""How many times the change by roundings a difference may be, as all of them go one way now and then."""
ULP = 2.0**-52


def is_drowned(
    method: Method,
    column: int,
    judged: torch.Tensor,
    tolerance: Tolerance,
    found: Mismatch | None,
) -> bool:
    """Whether all that differs in the value (`column` 0) or the gradient of weight i (1 + i) at the judged points
    (N,) is rounding, and is so at few of them."""
    program, replayed = method.verified.program, method.replayed
    if found is None or program is None or replayed is None or found.failed > RARE * found.judged:
        return False
    got = (replayed.result, *replayed.gradients)[column]
    right = (method.expected.value, *method.expected.gradients.T)[column]
    assert got is not None
    at = wrong_at(got, right, judged, tolerance).nonzero().flatten()
    generator = torch.Generator().manual_seed(53)

    def rounded(made: torch.Tensor) -> torch.Tensor:
        return 1 + ULP * torch.randint(-1, 2, made.shape, generator=generator, dtype=torch.float64)

    weights, inputs = method.expected.weights[at], method.expected.inputs[at]
    try:
        again = program.run_anyhow(
            weights.repeat(RUNS, 1), inputs.repeat(RUNS, 1), Rounding(rounded)
        )
    except NotReplayable:
        return False
    numbers = (again.result, *again.gradients)[column]
    assert numbers is not None
    changes = (numbers.reshape(RUNS, -1) - got[at]).abs().nan_to_num(torch.inf).amax(0)
    off = (got[at] - right[at]).abs()
    return bool((torch.isfinite(off) & (off <= TIMES * changes)).all())
