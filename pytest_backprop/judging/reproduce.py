"""Code in the words of the student's own class: what shows the fault, and what sets a gradient."""

from __future__ import annotations

from typing import Literal

import torch

from ..exercises.functions.reference import Expected
from ..model import Leaf
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
    if not labels or len(labels) != len(case.weight_names) or case.leaves:
        return None
    way = evidence.forward_way if shown == "forward" else evidence.pass_way
    if way not in ("separate", "stacked"):
        return None
    if not _are_names(evidence.class_name, evidence.pass_name, *(name for name, _ in labels)):
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


def random_inputs(case: Case) -> str:
    """What Python passes to a method at random: `*torch.rand(3)`, or `torch.rand(8, 3),
    torch.tensor([2, 0])`."""
    if not case.leaves:
        return f"*torch.rand({len(case.input_names)})"
    if case.is_vjp:
        return ", ".join(map(_at_random, case.leaves[:-1]))
    return ", ".join(_at_random(leaf) for leaf in case.leaves if leaf.kind == "input")


def _at_random(leaf: Leaf) -> str:
    if leaf.number is not None:
        return repr(leaf.number)
    if leaf.integers is not None:
        return f"torch.tensor({torch.tensor(leaf.integers).reshape(leaf.shape).tolist()})"
    return f"torch.rand({', '.join(map(str, leaf.shape))})"


def gradients_set(case: Case) -> dict[str, str]:
    """What each parameter's gradient is to be, by the parameter's name: `torch.stack([dw0,
    dw1])` for `w`, `dw0` for `w0`."""
    weights = [leaf.name for leaf in case.leaves if leaf.kind == "weight"] or case.weight_names
    names = [name for name, _ in case.evidence.weight_labels]
    if case.leaves or len(names) != len(weights) or not _are_names(*names):
        names = list(weights) if case.leaves else ["w"] * len(weights)
    held: dict[str, list[str]] = {}
    for name, weight in zip(names, weights, strict=True):
        held.setdefault(name, []).append(f"d{weight}")
    return {
        name: parts[0] if len(parts) == 1 else f"torch.stack([{', '.join(parts)}])"
        for name, parts in held.items()
    }


def _are_names(*dotted: str) -> bool:
    parts = [part for name in dotted for part in name.split(".")]
    return all(part.isidentifier() and part.isascii() for part in parts)


def _numbers(row: torch.Tensor) -> list[str]:
    return [repr(number) for number in row.tolist()]
