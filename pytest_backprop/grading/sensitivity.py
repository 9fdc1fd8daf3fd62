"""The configuration proves itself: wrong gradients that must fail at these points and tolerances.

A tolerance so wide, or points so few, that a zero or doubled gradient passes would pass wrong
submissions in silence (seen in KernelBench and in course graders). So each variant in use is
mutated first, and a mutant that survives is a usage error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import torch

from ..errors import UsageProblem
from ..exercises.functions.bank import Step, Variant
from ..exercises.functions.reference import Expected, gradients_of
from ..judging.case import Tolerance
from ..judging.compare import wrong_at
from ..messages import phrase, say
from ..model import gradient_of, gradient_places

FACTORS = (0.0, -1.0, 2.0, 1.001)
DROPPED = " without derivative"
NOTHING = 1e-12
"""What differs by a smaller part of its size does not differ but for rounding."""
NO_EFFECT = 1e-11
"""A gradient that is nowhere larger is the rounding of terms that cancel."""


class Mutant(NamedTuple):
    """A wrong gradient (N, elements) float64 of a weight, and what to call it."""

    weight: str
    gradient: torch.Tensor
    survives: str
    """The sentence for one that passes for right."""
    idle: str | None
    """The sentence for one that is no other than the right one; None if that is no fault."""
    names: dict[str, object]


def check_sensitivity(variant: Variant, expected: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming the first mutant that the tolerance does not tell from the
    variant's own gradient on the judged points."""
    judged = expected.judged
    _check_effects(variant, expected)
    places = gradient_places(variant.weights, variant.leaves)
    for mutant in _mutants(variant, expected):
        right = expected.outputs[gradient_of(mutant.weight)]
        survives = ~wrong_at(mutant.gradient, right, judged[:, None], tolerance).any(0)
        unlike = survives & _differs(mutant.gradient, right, judged)
        number = variant.weights[places[mutant.weight][int(unlike.int().argmax())]]
        shared = {
            "variant": variant.name,
            "points": int(judged.sum()),
            "weight": number,
            **mutant.names,
        }
        if unlike.any():
            raise UsageProblem(
                say(
                    mutant.survives,
                    rtol=f"{tolerance.rtol:g}",
                    atol=f"{tolerance.atol:g}",
                    **shared,
                ),
                say("lower the tolerances or raise --backprop-points"),
            )
        if survives.any() and mutant.idle is not None:
            raise UsageProblem(
                say(mutant.idle, **shared),
                say(
                    "simplify the variant, or raise --backprop-points if it matters at few of them"
                ),
            )


def _check_effects(variant: Variant, expected: Expected) -> None:
    """Raises UsageProblem for a weight that the result does not depend on, as in `w0 - w0`."""
    for weight in gradient_places(variant.weights, variant.leaves):
        own = expected.outputs[gradient_of(weight)][expected.judged]
        if own.numel() and own.abs().max().item() <= NO_EFFECT and not variant.may_leave_out:
            raise UsageProblem(
                say(
                    "variant {variant}: the result does not depend on {weight}: its gradient is 0 at "
                    "all {points} points",
                    variant=variant.name,
                    weight=weight,
                    points=int(expected.judged.sum()),
                ),
                say("write the variant so that {weight} matters, or without it", weight=weight),
            )


def _differs(got: torch.Tensor, right: torch.Tensor, judged: torch.Tensor) -> torch.Tensor:
    """Which elements are others at some judged point."""
    size = torch.maximum(got.abs(), right.abs())
    return ((got - right).abs() > NOTHING * size)[judged].any(0)


def _mutants(variant: Variant, expected: Expected) -> Iterator[Mutant]:
    for weight in gradient_places(variant.weights, variant.leaves):
        own = expected.outputs[gradient_of(weight)]
        for factor in FACTORS:
            yield Mutant(weight, own * factor, SCALED, None, {"factor": f"{factor:g}"})
        if variant.leaves:
            continue  # one number of many; each has the paths of its neighbours
        for other in variant.weights:
            if other != weight:
                # where two gradients are the same function, as in w0 + w1, swapping them is right
                others = expected.outputs[gradient_of(other)]
                yield Mutant(weight, others, SWAPPED, None, {"other": other})
        for position, operand in _uses(variant, weight):
            program = _without(variant, position, operand)
            gradient = gradients_of(program, expected.weights, expected.inputs, weight)
            names: dict[str, object] = {"line": variant.program[position].line}
            yield Mutant(weight, gradient[:, None], PATH_LOST, PATH_IDLE, names)


SCALED = phrase(
    "variant {variant}: at rtol {rtol} and atol {atol}, on {points} points, the gradient of {weight} "
    "times {factor} would pass for right"
)
SWAPPED = phrase(
    "variant {variant}: at rtol {rtol} and atol {atol}, on {points} points, the gradient of {other} "
    "in place of that of {weight} would pass for right"
)
PATH_LOST = phrase(
    "variant {variant}: at rtol {rtol} and atol {atol}, on {points} points, the gradient of {weight} "
    "without its path through line {line} would pass for right"
)
PATH_IDLE = phrase(
    "variant {variant}: the path of {weight} through line {line} adds nothing to its gradient at any "
    "of {points} points"
)


def _uses(variant: Variant, weight: str) -> list[tuple[int, int]]:
    """Where a weight is an operand: (step, operand). None if it is used once: that is times 0."""
    found = [
        (position, place)
        for position, step in enumerate(variant.program)
        for place, operand in enumerate(step.operands)
        if variant.program[operand].code == "load" and variant.program[operand].name == weight
    ]
    return found if len(found) > 1 else []


def _without(variant: Variant, position: int, place: int) -> Variant:
    """The variant with one use of a weight reading `NAME without derivative` instead."""
    weight = variant.program[variant.program[position].operands[place]].name
    steps = [Step("load", name=weight + DROPPED)]
    for at, step in enumerate(variant.program):
        operands = [operand + 1 for operand in step.operands]
        if at == position:
            operands[place] = 0
        # nothing is dropped early: one operand fewer may now read it
        steps.append(msgspec.structs.replace(step, operands=tuple(operands), drops=()))
    return msgspec.structs.replace(variant, program=tuple(steps))
