"""The checks of a tape."""

from __future__ import annotations

from ...judging import forward, gradient, integrity, unused_nodes
from . import none, reset, second_order

CHECKS = {
    check.ID: check.judge for check in (forward, gradient, none, unused_nodes, reset, second_order)
} | {integrity.ID: integrity.judge_untouched}
