"""The configuration proves itself: wrong gradients must fail at these points and tolerances.

A tolerance so wide, or points so few, that a zero or doubled gradient passes would pass wrong
submissions in silence. So each variant in use is judged first with gradients that are nearly right,
and without one of a weight's paths; one that passes is a usage error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import torch

from ..errors import UsageProblem
from ..exercises.functions.bank import Step, Variant
from ..exercises.functions.reference import Expected, gradients_of
from ..judging.case import Tolerance
from ..judging.compare import wrong_at
from ..messages import say
from ..model import gradient_of, gradient_places

FACTOR = 1.001
"""A gradient times this differs from the right one by less than each that is wrong by a sign, a
factor or is nothing: where this is told from the right one, so are those."""
DROPPED = " without derivative"
NO_EFFECT = 1e-11
"""A gradient that is nowhere larger is the rounding of terms that cancel."""


def check_sensitivity(variant: Variant, expected: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming a weight that the result does not depend on, as in `w0 - w0`, or
    the first wrong gradient that the tolerance does not tell from the variant's own on the judged
    points; so also where the path that it leaves out adds nothing."""
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
        for mutant, gradient in _mutants(variant, weight, own, expected):
            survives = ~wrong_at(gradient, own, judged[:, None], tolerance).any(0)
            survives &= (own != 0)[judged].any(0)  # a number of a tensor may be nothing
            if survives.any():
                raise UsageProblem(
                    say(
                        "variant {variant}: at rtol {rtol:g} and atol {atol:g}, on {points} "
                        "points, the gradient of {weight} {mutant} would pass for right",
                        **places,
                        **tolerance._asdict(),
                        weight=variant.weights[numbers[int(survives.int().argmax())]],
                        mutant=mutant,
                    ),
                    say("lower the tolerances, raise --backprop-points or simplify the variant"),
                )


def _mutants(
    variant: Variant, weight: str, own: torch.Tensor, expected: Expected
) -> Iterator[tuple[str, torch.Tensor]]:
    """Wrong gradients of a weight (N, elements), each with how it is wrong, in words."""
    yield say("times {factor}", factor=FACTOR), own * FACTOR
    if variant.leaves:
        return  # one number of many; each has the paths of its neighbours
    for position, operand in _uses(variant, weight):
        line = variant.program[position].line
        mutant = _without(variant, position, operand)
        gradient = gradients_of(mutant, expected.weights, expected.inputs, weight)
        yield say("without its path through line {line}", line=line), gradient[:, None]


def _uses(variant: Variant, weight: str) -> list[tuple[int, int]]:
    """Where a weight is an operand: (step, operand). None if it is used once: without that it has
    no gradient at all."""
    uses = [
        (position, place)
        for position, step in enumerate(variant.program)
        for place, operand in enumerate(step.operands)
        if variant.program[operand].code == "load" and variant.program[operand].name == weight
    ]
    return uses if len(uses) > 1 else []


def _without(variant: Variant, position: int, place: int) -> Variant:
    """The variant with one use of a weight reading `NAME without derivative` instead."""
    weight = variant.program[variant.program[position].operands[place]].name
    steps = [Step("load", name=weight + DROPPED)]
    for at, step in enumerate(variant.program):
        operands = [operand + 1 for operand in step.operands]
        if at == position:
            operands[place] = 0
        steps.append(msgspec.structs.replace(step, operands=tuple(operands)))
    return msgspec.structs.replace(variant, program=tuple(steps))
