"""What clamps give at their bounds: the torch that is here is one of the versions that `Clamps` knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from pytest_backprop.exercises.functions.clamps import SHARES, Clamps

Function = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]

FORMS: dict[str, Function] = {
    "clamp": lambda x, b: torch.clamp(x, min=0),
    "clamp of a tensor": lambda x, b: x.clamp(b),
    "max": lambda x, b: x.clamp(max=0),
    "both": lambda x, b: x.clamp(b, b + 1),
    "clip": lambda x, b: torch.clip(x, 0, 1),
    "clamp_min": lambda x, b: x.clamp_min(0),
    "clamp_max": lambda x, b: torch.clamp_max(x, max=0),
}


def worked_out(function: Function) -> tuple[list[float], ...]:
    x = torch.tensor([0.0, 1.0, 0.5, -2.0], requires_grad=True)
    bound = torch.zeros(4, requires_grad=True)
    value = function(x, bound)
    found = torch.autograd.grad(value.sum(), (x, bound), allow_unused=True)
    return value.tolist(), *([] if g is None else g.tolist() for g in found)


@pytest.mark.parametrize("form", FORMS)
def test_this_torch_is_one_of_them_and_they_differ(form: str) -> None:
    versions = []
    for shares in SHARES:
        with Clamps(*shares):
            versions.append(worked_out(FORMS[form]))
    assert worked_out(FORMS[form]) in versions
    older, newer = versions
    assert older[0] == newer[0]
    assert older[1] != newer[1]
