"""A few lines that a student can paste below the class, to see what the grader saw."""

from __future__ import annotations

from typing import Literal

import torch

from ...exercises.functions.reference import Expected
from .case import Case

Shown = Literal["forward", "value", "gradients"]
"""What a finding is about: what `forward` returns, what the pass returns, what the pass leaves."""


def reproducer(case: Case, expected: Expected, index: int, shown: Shown) -> str | None:
    """Python that runs a method on one point and prints what the finding is about.

    None where the module's layout cannot be told in a few lines. Names come from the child: only
    identifiers are let through.
    """
    evidence = case.evidence
    labels = evidence.weight_labels
    names = [part for name, _ in labels for part in name.split(".")]
    if not labels or len(labels) != len(case.weight_names) or case.leaves:
        return None
    way = evidence.forward_way if shown == "forward" else evidence.pass_way
    if way == "named":
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
    star = "" if way == "stacked" else "*"
    method = "model" if shown == "forward" else f"model.{evidence.pass_name}"
    lines.append(f"    y = {method}({star}torch.tensor([{inputs}]))")
    gradients = [f"model.{name}.grad" for name in held] if shown == "gradients" else []
    return "\n".join([*lines, f"print({', '.join(['y', *gradients])})"])


def _numbers(row: torch.Tensor) -> list[str]:
    return [repr(number) for number in row.tolist()]
