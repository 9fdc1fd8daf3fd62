"""The checks of all forms, and of an exercise that does not say its own. An exercise's rules choose among them."""

from __future__ import annotations

from ...judging import forward, gradient, integrity, onnx, release, unused_nodes

CHECKS = {
    check.ID: check.judge for check in (forward, gradient, unused_nodes, release, integrity, onnx)
} | {forward.MANUAL: forward.judge_manual}
