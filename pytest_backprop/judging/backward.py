"""Is there a backward at all? A pass that computes only y wastes nothing and holds nothing, and
must not earn the points for that."""

from __future__ import annotations

import torch

from ..messages import say, say_count
from ..model import VALUE, CheckResult, is_gradient
from ..trace.graph import MOVING, op_name
from .case import Case, PassCase
from .compare import wrong_at
from .credit import failed

SHARE = 1 / 3
"""Of the ops in autograd's backward; a right pass of the course's runs as many or more."""


def ran(case: Case, id: str, needs_backward: bool = True) -> PassCase | CheckResult:
    """The case, if its pass left a recording and there is a backward in it; else the result of a
    check `id`."""
    if not isinstance(case, PassCase):
        return failed(id, say("the pass did not run to its end"))
    missing = attempted(case) if needs_backward else None
    return case if missing is None else failed(id, missing)


def not_of_all(id: str) -> CheckResult:
    """The result of a check that judges nothing where some input needs no gradient."""
    message = say("not judged: not every input needs a gradient")
    return CheckResult(id, "not_judged", 0.0, message, "observed")


def attempted(case: PassCase) -> str | None:
    """Why unused nodes and releases cannot be judged; None when they can.

    They can when the gradient of some weight is right, or when some gradient is not the same number
    at every point (`0 * t` is no backward), and the ops that reach gradients but not y are a third
    or more of those in autograd's backward."""
    flow, replayed, expected = case.flow, case.manual.replayed, case.manual.expected
    ops = case.recording.ops
    if not any(map(is_gradient, case.recording.outputs)):
        return say("not counted: the pass leaves no gradient")
    if replayed is not None:  # else integrity tells
        judged = expected.judged[:, None]
        for name, gradient in replayed.gradients.items() if judged.any() else ():
            if not wrong_at(gradient, expected.outputs[name], judged, case.tolerance).any():
                return None
        numbers = [column for own in replayed.gradients.values() for column in own.T]
        finite = [column[torch.isfinite(column)] for column in numbers]
        if not any(len(column) > 1 and bool((column != column[0]).any()) for column in finite):
            return say("not counted: no gradient depends on the weights and inputs")
    backward = flow.serving(*filter(is_gradient, flow.sources)) - flow.serving(VALUE)
    computing = sum(op_name(ops[p]) not in MOVING for p in backward)
    if computing >= SHARE * case.cost.backward_ops:
        return None
    return say_count(
        "not counted: only {count} op leads to gradients, where autograd runs {autograd}, and no "
        "gradient is right",
        "not counted: only {count} ops lead to gradients, where autograd runs {autograd}, and no "
        "gradient is right",
        computing,
        autograd=case.cost.backward_ops,
    )
