"""The configuration proves itself: a tolerance so wide that a gradient which is nearly right passes
would pass wrong submissions in silence. So such gradients are tried for each task in use, and one
that passes is a usage error.
"""

from __future__ import annotations

import math

from ..errors import UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import Expected
from ..judging.case import Tolerance
from ..judging.compare import wrong_at
from ..messages import say
from ..model import gradient_of, gradient_places

FACTOR = 1.001
"""A gradient times this differs from the right one by less than each that is wrong by a sign, a
factor or is nothing: where this is told from the right one, so are those."""
NO_EFFECT = 1e-11
"""A gradient that is nowhere larger is the rounding of terms that cancel."""


def check_sensitivity(variant: Variant, expected: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming a weight that the result does not depend on, as in `w0 - w0`, or
    whose gradient times FACTOR the tolerance does not tell from its own on the judged points."""
    judged = expected.judged
    places = {"variant": variant.name, "points": int(judged.sum())}
    for weight, numbers in gradient_places(variant.weights, variant.leaves).items():
        own = expected.outputs[gradient_of(weight)]
        largest = own[judged].abs().max().item() if own[judged].numel() else math.inf
        if largest <= NO_EFFECT and not variant.may_leave_out:
            raise UsageProblem(
                say(
                    "variant {variant}: the result does not depend on {weight}: its gradient is 0 "
                    "at all {points} points",
                    **places,
                    weight=weight,
                ),
                say("write the variant so that {weight} matters, or without it", weight=weight),
            )
        survives = ~wrong_at(own * FACTOR, own, judged[:, None], tolerance).any(0)
        survives &= (own != 0)[judged].any(0)  # a number of a tensor may be nothing
        if survives.any():
            raise UsageProblem(
                say(
                    "variant {variant}: at rtol {rtol:g} and atol {atol:g}, on {points} points, "
                    "the gradient of {weight} times {factor} would pass for right",
                    **places,
                    **tolerance._asdict(),
                    weight=variant.weights[numbers[int(survives.int().argmax())]],
                    factor=FACTOR,
                ),
                say("lower the tolerances or raise --backprop-points"),
            )
