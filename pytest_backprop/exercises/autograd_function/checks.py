"""The checks of a Function."""

from __future__ import annotations

import functools

from ...judging import forward, gradient, integrity, unused_nodes
from ...judging.derivatives import judge_second
from ...messages import phrase
from . import needs_input_grad, saved

DIFFERENTIABLE = phrase(
    "write backward with differentiable ops on the saved inputs and outputs: no `.data`, "
    "`.detach()` or values computed in forward and saved"
)
DOUBLE_BACKWARD = "double-backward"
"""The derivatives of the gradients, which torch's engine takes through the student's backward,
equal autograd's. Asked for by a task with `ORDER = 2`; credit per input."""

CHECKS = {
    check.ID: check.judge for check in (forward, gradient, needs_input_grad, unused_nodes, saved)
} | {
    DOUBLE_BACKWARD: functools.partial(judge_second, DOUBLE_BACKWARD, DIFFERENTIABLE),
    integrity.ID: integrity.judge_untouched,
}
