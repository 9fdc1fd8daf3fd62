"""Names for the values of a variant's program, as a student would write them: t1, t2, ..., y."""

from __future__ import annotations

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.exercises.functions.bank.program import Step


def value_names(variant: Variant) -> list[str]:
    """A name for each step: of a load its own, of a number the number, of a node t1, t2, ... in
    order of execution, and y for the last."""
    names: list[str] = []
    made = 0
    last = len(variant.program) - 1
    for position, step in enumerate(variant.program):
        if step.code == "load":
            names.append(step.name)
        elif step.value is not None:
            names.append(f"{step.value:g}" if isinstance(step.value, float) else str(step.value))
        elif position == last:
            names.append("y")
        else:
            made += 1
            names.append(f"t{made}")
    return names


def is_node(step: Step) -> bool:
    """Whether a step calculates, and is no load and no number."""
    return step.code != "load" and step.value is None
