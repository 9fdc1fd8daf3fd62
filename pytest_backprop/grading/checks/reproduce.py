"""A few lines that a student can paste below the class, to see what the grader saw."""

from __future__ import annotations

import torch

from ...exercises.functions.reference import Expected
from .case import Case


def reproducer(case: Case, expected: Expected, index: int) -> str | None:
    """Python that runs the manual pass on one point and prints value and gradients.

    None where the module's layout cannot be told in a few lines. Names come from the child: only
    identifiers are let through.
    """
    evidence = case.evidence
    labels = evidence.weight_labels
    names = [part for name, _ in labels for part in name.split(".")]
    if not labels or len(labels) != len(case.weight_names) or case.leaves:
        return None
    if evidence.pass_way == "named":
        return None
    called = [evidence.class_name, evidence.pass_name, *names]
    if not all(name.isidentifier() and name.isascii() for name in called):
        return None
    weights = _numbers(expected.weights[index])
    inputs = ", ".join(_numbers(expected.inputs[index]))
    held: dict[str, list[str]] = {}
    for (name, _), weight in zip(labels, weights, strict=True):
        held.setdefault(name, []).append(weight)
    lines = [f"model = {evidence.class_name}()", "with torch.no_grad():"]
    for name, numbers in held.items():
        target = f"model.{name}"
        lines.append(f"    {target}.copy_(torch.tensor([{', '.join(numbers)}]).view_as({target}))")
    star = "" if evidence.pass_way == "stacked" else "*"
    lines.append(f"    y = model.{evidence.pass_name}({star}torch.tensor([{inputs}]))")
    shown = ", ".join(f"model.{name}.grad" for name in held)
    return "\n".join([*lines, f"print(y, {shown})"])


def _numbers(row: torch.Tensor) -> list[str]:
    return [repr(number) for number in row.tolist()]
