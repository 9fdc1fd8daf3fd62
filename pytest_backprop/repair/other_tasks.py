"""Is a wrong method right for another task of the bank? Then that is what to tell: no line is
wrong."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import values
from ..judging.case import Method, Tolerance
from ..judging.compare import mismatch
from ..messages import say
from ..model import OTHER_TASK, VALUE, Finding, Place

POINTS = 256
ALIKE = 0.9
"""Of the points, which are chosen for the task that was given; another may be ill-conditioned at
some."""


def other_task(
    variant: Variant,
    bank: Iterable[Variant],
    method: Method,
    tolerance: Tolerance,
    shown: str,
    place: Place | None,
) -> Finding | None:
    """The finding for a method, called `shown`, that returns the value of another task."""
    if method.replayed is None or VALUE not in method.replayed.outputs:
        return None
    got = method.replayed.outputs[VALUE][:, 0]
    weights, inputs = (of[:POINTS] for of in (method.expected.weights, method.expected.inputs))
    has_weights, has_inputs = set(variant.weights), set(variant.inputs)
    for other in bank:
        if other.leaves or other.name == variant.name:
            continue
        if not (has_weights.issuperset(other.weights) and has_inputs.issuperset(other.inputs)):
            continue
        right = values(
            other,
            weights[:, [variant.weights.index(name) for name in other.weights]],
            inputs[:, [variant.inputs.index(name) for name in other.inputs]],
        )
        judged = torch.isfinite(right)
        missed = mismatch(got[:POINTS], right, judged, tolerance)
        wrong = 0 if missed is None else missed.failed
        if int(judged.sum()) - wrong > ALIKE * len(right):
            message = say(
                "{method} is that of {other}, and the task given here is {variant}",
                method=shown,
                other=other.name,
                variant=variant.name,
            )
            hint = say("compare your variant's number with the one that was given to you")
            return Finding(OTHER_TASK, message, "fault", place, other.name, hint)
    return None
