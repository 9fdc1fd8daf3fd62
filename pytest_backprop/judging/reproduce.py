"""Code in the words of the student's own class: what shows the fault, and what sets a gradient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import torch

from ..exercises.adjoint.tensors import fixed
from ..exercises.functions.reference import Expected, outputs
from ..model import VALUE, is_gradient, places
from ..trace.calls import NotReplayable
from .case import Case, Method

Shown = Literal["forward", "value", "gradients"]
"""What a finding is about: what `forward` returns, what the pass returns, what the pass leaves."""

SEEDS = 5
"""Of tensors that are drawn, until the fault shows."""
VISIBLE = 1e-3
"""By how much, so that float32 shows it, too."""


def reproducer(case: Case, expected: Expected, index: int, shown: Shown) -> str | None:
    """Python that runs a method on one point and prints what the finding is about.

    None where the module's layout cannot be told in a few lines. Names come from the child: only
    identifiers are let through."""
    evidence = case.evidence
    labels = [name for name, _ in evidence.weight_labels]
    way = evidence.forward_way if shown == "forward" else evidence.pass_way
    if way == "tensors" and labels and not case.variant.of_scalars:
        return _on_tensors(case, shown)
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


def _on_tensors(case: Case, shown: Shown) -> str | None:
    """The same on seeded tensors, at the first of some seeds at which the method is wrong; its
    gradients are held against autograd's of `forward`, where that is right there."""
    names = [leaf.name for leaf in case.leaves]
    dotted = (case.evidence.class_name, case.evidence.pass_name)
    if case.is_vjp or case.y in names or not _are_names(*dotted, *names):
        return None
    for seed in range(SEEDS):
        generator = torch.Generator().manual_seed(seed)
        drawn = {
            leaf.name: torch.rand(leaf.shape, generator=generator).double().reshape(-1)
            for leaf in case.leaves
            if leaf.is_drawn
        }
        point = torch.cat([drawn[name] for name in places(case.leaves)])[None]
        right = outputs(case.variant, point)
        if shown != "forward" and _wrong(case.manual, point, right, shown != "value"):
            is_forward_right = not _wrong(case.forward, point, right, False)
            return _seeded(case, seed, right, shown, is_forward_right)
        if shown == "forward" and _wrong(case.forward, point, right, False):
            return _seeded(case, seed, right, shown, False)
    return None


def _wrong(
    method: Method, point: torch.Tensor, right: Mapping[str, torch.Tensor], gradients: bool
) -> bool:
    """Whether the value of a method, or one of its gradients, is wrong at a point (1, D); it is
    taken for wrong where it cannot be replayed."""
    try:
        own = None if method.verified.program is None else method.verified.program.run(point)
    except NotReplayable:
        own = None
    names = [name for name in right if is_gradient(name) == gradients]
    return own is None or not all(
        name in own.outputs
        and own.outputs[name].shape == right[name].shape
        and torch.allclose(own.outputs[name], right[name], rtol=VISIBLE, atol=VISIBLE)
        for name in names
    )


def _seeded(
    case: Case, seed: int, right: Mapping[str, torch.Tensor], shown: Shown, compares: bool
) -> str | None:
    """Lines that draw the tensors, run the method, and print what it gives and should give."""
    weights = [leaf.name for leaf in case.leaves if leaf.kind == "weight"]
    inputs = [leaf.name for leaf in case.leaves if leaf.kind != "weight"]
    if shown == "gradients" and not compares:
        return None
    lines = [f"torch.manual_seed({seed})", f"model = {case.evidence.class_name}()"]
    for leaf in case.leaves:
        drawn = f"torch.rand({list(leaf.shape)})"
        if leaf.literal:
            drawn = leaf.literal
        elif leaf.integers is not None:
            drawn = f"torch.tensor({torch.tensor(leaf.integers).reshape(leaf.shape).tolist()})"
        is_weight = leaf.kind == "weight"
        lines.append(
            f"model.{leaf.name} = torch.nn.Parameter({drawn})"
            if is_weight
            else f"{leaf.name} = {drawn}"
        )
    called = "model" if shown == "forward" else f"model.{case.evidence.pass_name}"
    call = f"{case.y} = {called}({', '.join(inputs)})"
    lines += ["with torch.no_grad():", f"    {call}"]
    if shown != "gradients":
        return "\n".join([*lines, f"print({case.y}, 'should be', {right[VALUE].item():.6g})"])
    parameters = ", ".join(f"model.{name}" for name in weights)
    lines.append(f"right = torch.autograd.grad(model({', '.join(inputs)}), [{parameters}])")
    for number, name in enumerate(weights):
        off = f"(model.{name}.grad - right[{number}]).abs().max()"
        lines.append(f"print('{name} is off by', {off}.item())")
    return "\n".join(lines)


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
