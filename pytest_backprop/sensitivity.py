"""The configuration proves itself: wrong gradients that must fail at these points and tolerances.

A tolerance so wide, or points so few, that a zero or doubled gradient passes would pass wrong
submissions in silence (seen in KernelBench and in course graders). So each variant in use is
mutated first, and a mutant that survives is a usage error.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import torch

from .bank import Step, Variant
from .checks.case import Expected, Tolerance
from .checks.compare import mismatch
from .errors import UsageProblem
from .reference import gradients_of

FACTORS = {"times 0": 0.0, "with the wrong sign": -1.0, "times 2": 2.0, "times 1.001": 1.001}
DROPPED = " without derivative"


def check_sensitivity(variant: Variant, expected: Expected, tolerance: Tolerance) -> None:
    """Raises UsageProblem naming the first mutant that the tolerance does not tell from the
    variant's own gradient on the judged points."""
    for name, index, gradient in _mutants(variant, expected):
        right = expected.gradients[:, index]
        if mismatch(gradient, right, expected.judged, tolerance) is None:
            raise UsageProblem(
                f"variant {variant.name}: at rtol {tolerance.rtol:g} and atol {tolerance.atol:g}, on "
                f"{int(expected.judged.sum())} points, {name} would pass for right",
                "lower the tolerances or raise --backprop-points",
            )


def _mutants(variant: Variant, expected: Expected) -> Iterator[tuple[str, int, torch.Tensor]]:
    """What is wrong, of which weight, and the wrong gradient (N,) float64."""
    for index, weight in enumerate(variant.weights):
        own = expected.gradients[:, index]
        for name, factor in FACTORS.items():
            yield f"the gradient of {weight} {name}", index, own * factor
        for other, another in enumerate(variant.weights):
            if other != index:
                name = f"the gradient of {another} in place of that of {weight}"
                yield name, index, expected.gradients[:, other]
        for position, operand in _uses(variant, weight):
            program = _without(variant, position, operand)
            gradient = gradients_of(program, expected.weights, expected.inputs, weight)
            line = variant.program[position].line
            yield f"the gradient of {weight} without its path through line {line}", index, gradient


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
