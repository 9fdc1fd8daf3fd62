"""The checks of the homework, which are those that an exercise has that does not say its own. `onnx`
is added where a rubric asks for it: `grading/pipeline.py`."""

from __future__ import annotations

from ...judging import forward, gradient, integrity, manual_forward, release, unused_nodes

CHECKS = {
    check.ID: check.judge
    for check in (forward, manual_forward, gradient, unused_nodes, release, integrity)
}
