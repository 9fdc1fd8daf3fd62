"""The checks of `script`: a gradient that is wrong because of an earlier one costs nothing."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import torch
from msgspec.structs import replace

from ...judging import gradient
from ...judging.case import Case
from ...judging.compare import wrong_at
from ...model import CheckResult, CheckRules, gradient_of, gradient_places
from ..adjoint.tensors import tensors
from ..functions.probes import PROBED
from . import checks

POINTS = 48
"""At how many points it is looked whether one follows from others."""
SMALL = 0.01
"""Part of the right gradient's size below which none follows: of zeros zeros would, everywhere."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every gradient is right. One that is wrong, but is what the student's own
    gradients of the next names make of it, follows from a wrong one of these (error carried
    forward): it is a note, and costs nothing. Credit per name."""
    following = functools.cache(lambda: _following(case))
    return gradient.judge(case, rules, follows=lambda name: name in following())


def _following(case: Case) -> set[str]:
    """The names whose gradients are vector-Jacobian products of the student's own gradients of
    what is computed from them directly, at all of some points.

    For a leaf or intermediate h and the names y that the task computes from h and from no name
    between: dh = sum of (dy/dh)^T dy, with dy as the student has them, the loss's 1 among them.
    The task is run with its graph cut at each name."""
    replayed, expected = case.manual.replayed, case.manual.expected
    if replayed is None:
        return set()
    rows = expected.judged.nonzero().flatten()[:POINTS].tolist()
    asked = gradient_places(case.leaves)
    shapes = {leaf.name: leaf.shape for leaf in case.leaves}
    own = {
        name: replayed.outputs.get(gradient_of(name), expected.outputs[gradient_of(name)])
        for name in asked
    }
    right = {name: expected.outputs[gradient_of(name)][rows].abs() for name in asked}
    follows = {n for n in asked if bool(own[n][rows].abs().max() >= SMALL * right[n].max())}
    everywhere = torch.ones(1, dtype=torch.bool)
    for row in rows:
        sent = {name: own[name][row].reshape(shapes[name]) for name in asked}
        local = _local(case, expected.points[row], sent)
        for name in [*follows]:
            got, wanted = own[name][row][None], local[name].reshape(1, -1)
            if wrong_at(got, wanted, everywhere[:, None], case.tolerance).any():
                follows.discard(name)
    return follows


def _local(
    case: Case, point: torch.Tensor, sent: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """What the gradients `sent` to names make of the gradient of each leaf and intermediate."""
    task: Any = case.variant
    wide = [replace(leaf, dtype="float64") for leaf in case.leaves]
    pairs = zip(wide, tensors(wide, point.tolist()), strict=True)
    values = {leaf.name: value for leaf, value in pairs if not leaf.probe}
    leaves = [leaf for leaf in case.leaves[:-1] if not leaf.probe]
    cut = {name: value.requires_grad_() for name, value in values.items() if name in sent}
    before: dict[str, torch.Tensor] = {}

    def probed(name: str, value: Any) -> Any:
        if name not in sent:
            return value
        before[name] = value
        cut[name] = value.detach().requires_grad_()
        return cut[name]

    with torch.enable_grad():
        arguments = task.task.arguments(leaves, [values[leaf.name] for leaf in leaves])
        loss = task.task.function(**arguments, **{PROBED: probed})
        outputs = {name: each for name, each in before.items() if each.requires_grad}
        adjoints = [sent[name] for name in outputs] + [torch.ones_like(loss)]
        gradients = torch.autograd.grad(
            [*outputs.values(), loss], [*cut.values()], adjoints, materialize_grads=True
        )
    return dict(zip(cut, gradients, strict=True))


CHECKS = {**checks.CHECKS, gradient.ID: judge}
