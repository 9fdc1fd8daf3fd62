"""The checks of a Function."""

from __future__ import annotations

from ...judging import forward, gradient, integrity, unused_nodes
from . import double_backward, needs_input_grad, saved

CHECKS = {
    check.ID: check.judge
    for check in (forward, gradient, needs_input_grad, unused_nodes, saved, double_backward)
} | {integrity.ID: integrity.judge_untouched}
