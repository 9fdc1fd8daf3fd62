"""The configuration proves itself: wrong gradients must fail at these points and tolerances.

A tolerance so wide, or points so few, that a zero or doubled gradient passes would pass wrong
submissions in silence (seen in KernelBench and in course graders). So each variant in use is
judged first with gradients that are nearly right, and without one of a weight's paths; one that
passes is a usage error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import torch

from ..errors import UsageProblem
from ..exercises.functions.bank import Step, Variant
from ..exercises.functions.reference import Expected, outputs
from ..judging.case import Tolerance
from ..judging.compare import wrong_at
from ..messages import say
from ..model import gradient_of, gradient_places

FACTOR = 1.001
"""A gradient times this differs from the right one by less than each that is wrong by a sign, a
factor or is nothing: where this is told from the right one, so are those."""
DROPPED = " without derivative"
NOTHING = 1e-12
"""What differs by a smaller part of its size does not differ but for rounding."""
NO_EFFECT = 1e-11
"""A gradient that is nowhere larger is the rounding of terms that cancel."""


def check_sensitivity(variant: Variant, expected: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming a weight that the result does not depend on, as in `w0 - w0`, or
    the first wrong gradient that the tolerance does not tell from the variant's own on the judged
    points."""
    judged = expected.judged
    places = {"variant": variant.name, "points": int(judged.sum())}
    for weight, numbers in gradient_places(variant.leaves).items():
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
        for mutant, line, gradient in _mutants(variant, weight, own, expected):
            survives = ~wrong_at(gradient, own, judged[:, None], tolerance).any(0)
            size = torch.maximum(gradient.abs(), own.abs())
            unlike = survives & ((gradient - own).abs() > NOTHING * size)[judged].any(0)
            if unlike.any():
                raise UsageProblem(
                    say(
                        "variant {variant}: at rtol {rtol:g} and atol {atol:g}, on {points} "
                        "points, the gradient of {weight} {mutant} would pass for right",
                        **places,
                        **tolerance._asdict(),
                        weight=variant.weights[numbers[int(unlike.int().argmax())]],
                        mutant=mutant,
                    ),
                    say("lower the tolerances or raise --backprop-points"),
                )
            if line and survives.any():
                raise UsageProblem(
                    say(
                        "variant {variant}: the path of {weight} through line {line} adds nothing "
                        "to its gradient at any of {points} points",
                        **places,
                        weight=weight,
                        line=line,
                    ),
                    say(
                        "simplify the variant, or raise --backprop-points if it matters at few of "
                        "them"
                    ),
                )


def _mutants(
    variant: Variant, weight: str, own: torch.Tensor, expected: Expected
) -> Iterator[tuple[str, int, torch.Tensor]]:
    """Wrong gradients of a weight (N, elements): how each is wrong, in words; the line of the use
    that it leaves out, or 0; the gradient."""
    yield say("times {factor}", factor=FACTOR), 0, own * FACTOR
    if not variant.of_scalars:
        return  # one number of many; each has the paths of its neighbours
    for position, operand in _uses(variant, weight):
        line = variant.program[position].line
        mutant = _without(variant, position, operand)
        gradient = outputs(mutant, expected.points)[gradient_of(weight)][:, 0]
        yield say("without its path through line {line}", line=line), line, gradient[:, None]


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
