"""Code in the words of the student's own class: what shows the fault, and what sets a gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..exercises.adjoint.tensors import fixed
from ..exercises.functions.reference import Expected
from .case import Case

Shown = Literal["forward", "value", "gradients"]
"""What a finding is about: what `forward` returns, what the pass returns, what the pass leaves."""


def reproducer(case: Case, expected: Expected, index: int, shown: Shown) -> str | None:
    """Python that runs a method on one point and prints what the finding is about.

    None where the module's layout cannot be told in a few lines. Names come from the child: only
    identifiers are let through.
    """
    evidence = case.evidence
    labels = [name for name, _ in evidence.weight_labels]
    way = evidence.forward_way if shown == "forward" else evidence.pass_way
    is_plain = bool(labels) and case.variant.of_scalars and way in ("separate", "stacked")
    if not is_plain or len(labels) != len(case.variant.weights):
        return None
    if not _are_names(evidence.class_name, evidence.pass_name, *labels):
        return None
    weights, inputs = expected.points[index].tensor_split([len(labels)])
    lines = [f"model = {evidence.class_name}()", "with torch.no_grad():"]
    for name, numbers in _by_name(labels, map(repr, weights.tolist())).items():
        target = f"model.{name}"
        lines.append(f"    {target}.copy_(torch.tensor([{', '.join(numbers)}]).view_as({target}))")
    star = "" if way == "stacked" else "*"
    method = "model" if shown == "forward" else f"model.{evidence.pass_name}"
    lines.append(f"    y = {method}({star}torch.tensor({inputs.tolist()}))")
    gradients = [f"model.{name}.grad" for name in dict.fromkeys(labels)]
    printed = ["y", *gradients] if shown == "gradients" else ["y"]
    return "\n".join([*lines, f"print({', '.join(printed)})"])


def random_inputs(case: Case) -> str:
    """What Python passes to a method at random: `*torch.rand(3)`, or `torch.rand(8, 3),
    torch.tensor([2, 0])`."""
    if case.variant.of_scalars:
        return f"*torch.rand({len(case.variant.inputs)})"
    arguments = []
    for leaf in case.leaves[:-1] if case.is_vjp else case.leaves:
        if not case.is_vjp and leaf.kind != "input":
            continue
        if leaf.literal:
            arguments.append(leaf.literal)
        elif leaf.integers is not None:
            arguments.append(f"torch.tensor({fixed(leaf).tolist()})")
        else:
            arguments.append(f"torch.rand({', '.join(map(str, leaf.shape))})")
    return ", ".join(arguments)


def gradients_set(case: Case) -> dict[str, str]:
    """What each parameter's gradient is to be, by the parameter's name: `torch.stack([dw0,
    dw1])` for `w`, `dw0` for `w0`."""
    weights = [leaf.name for leaf in case.leaves if leaf.kind == "weight"]
    names = [name for name, _ in case.evidence.weight_labels]
    if not case.variant.of_scalars:
        names = [*weights]
    elif len(names) != len(weights) or not _are_names(*names):
        names = ["w"] * len(weights)
    gradients = [f"d{weight}" for weight in weights]
    return {
        name: parts[0] if len(parts) == 1 else f"torch.stack([{', '.join(parts)}])"
        for name, parts in _by_name(names, gradients).items()
    }


def _by_name(names: Iterable[str], parts: Iterable[str]) -> dict[str, list[str]]:
    """The parts that have the same name together."""
    grouped: dict[str, list[str]] = {}
    for name, part in zip(names, parts, strict=True):
        grouped.setdefault(name, []).append(part)
    return grouped


def _are_names(*dotted: str) -> bool:
    parts = [part for name in dotted for part in name.split(".")]
    return all(part.isidentifier() and part.isascii() for part in parts)
