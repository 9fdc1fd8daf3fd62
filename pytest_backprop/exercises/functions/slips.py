"""The functions that a variant becomes by one slip: another operator, order, sign, exponent, number, function,
or another weight or input in the place of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from .bank import Variant
from .bank.program import Step

ALIKE = (
    frozenset({"exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid"}),
    frozenset({"abs", "relu"}),
    frozenset({"max", "min"}),
)
"""Functions that one may be taken for."""
INFIX = ("add", "sub", "mul", "div")


def slips(variant: Variant) -> Iterator[Variant]:
    """Each of them, under the variant's name. All weights still reach the result, and nothing is divided by or
    taken off itself: of what cancels there would be no derivative to work out."""
    for position, step in enumerate(variant.program):
        for other in _steps(variant, step):
            program = (*variant.program[:position], other, *variant.program[position + 1 :])
            read = {step.name for step in program if step.code == "load"}
            if read.issuperset(variant.weights) and not _cancels(program):
                yield replace(variant, program=program)


def _cancels(program: Sequence[Step]) -> bool:
    """Whether something is divided by or taken off what is written as it is."""
    written: list[object] = []
    for step in program:
        operands = [written[operand] for operand in step.operands]
        if step.code in ("sub", "div") and operands[0] == operands[1]:
            return True
        written.append((step.code, step.name, step.value, *operands))
    return False


def _steps(variant: Variant, step: Step) -> Iterator[Step]:
    if step.code in INFIX:
        turned = step.operands[::-1]
        for code in INFIX:
            if code != step.code:
                yield replace(step, code=code)
            if code in ("sub", "div"):
                yield replace(step, code=code, operands=turned)
    elif step.code in ("neg", "pos"):
        yield replace(step, code="pos" if step.code == "neg" else "neg")
    elif step.code == "call":
        for group in ALIKE:
            for name in sorted(group - {step.name}) if step.name in group else ():
                yield replace(step, name=name)
    elif step.code == "load":
        alike = variant.weights if step.name in variant.weights else variant.inputs
        for name in alike:
            if name != step.name:
                yield replace(step, name=name)
    elif step.value is not None:
        near = [step.value + 1, step.value - 1, 2 * step.value, step.value / 2, -step.value]
        for value in near if step.code == "constant" else near[:2]:
            if value:  # a power or a factor of nothing has no derivative to work out
                yield replace(step, value=value)
