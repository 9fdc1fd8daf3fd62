"""A pass in which Python calculates with numbers of what has no gradient, as with the statistics of a batch
normalisation at test time."""

from __future__ import annotations

from pathlib import Path

import pytest
from forms_grading import graded

from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.model import Grade

TASK = """
EXERCISE = "layer"
CALLS = ("scale_forward", "scale_backward")
GRADIENTS = ("x",)
SIZES = {"n": (2, 2), "d": (2, 3)}
RANGES = {"var": (0.1, 3)}


def v1(x: Float[Tensor, "n d"], var: Float[Tensor, "d"]):
    return torch.exp(x) / torch.sqrt(var + 1e-5)
"""
PAIR = """
import math
import torch


def scale_forward(x, var):
    e = torch.exp(x)
    scales = [1 / math.sqrt(v.item() + 1e-5) for v in var]
    out = torch.stack([e[:, j] * s for j, s in enumerate(scales)], 1)
    return out, (e, scales)


def scale_backward(dout, cache):
    e, scales = cache
    dx = torch.zeros_like(dout)
    for j, s in enumerate(scales):
        dx[:, j] = dout[:, j] * e[:, j] * s
    return dx
"""


def outcomes(submission: str, folder: Path) -> dict[str, str]:
    grade: Grade = graded(BUILT_IN["layer"], TASK, submission, folder)
    return {check.result.id: check.result.outcome for check in grade.checks}


def test_a_right_pass_has_every_point(tmp_path: Path) -> None:
    assert {*outcomes(PAIR, tmp_path).values()} == {"passed"}


WRONG = {
    "everywhere": ("e[:, j] * s\n    return dx", "e[:, j] * s * s\n    return dx"),
    "at some numbers of the constant": (
        "    return dx",
        "    if scales[0] < 1:\n        dx = 2 * dx\n    return dx",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_one_fails(name: str, tmp_path: Path) -> None:
    right, wrong = WRONG[name]
    assert PAIR.count(right) == 1
    found = outcomes(PAIR.replace(right, wrong), tmp_path)
    assert found["forward"] == "passed"
    assert found["gradient"] == "failed"


def test_numbers_of_what_has_a_gradient_are_hidden_work(tmp_path: Path) -> None:
    hidden = PAIR.replace("return out, (e, scales)", "return out, (x, scales)").replace(
        "dout[:, j] * e[:, j] * s",
        "dout[:, j] * torch.tensor([math.exp(v.item()) for v in e[:, j]]) * s",
    )
    assert "failed" in {*outcomes(hidden, tmp_path).values()}


def test_where_intermediates_have_gradients_they_depend_on_all_inputs() -> None:
    takes = {name for name, exercise in BUILT_IN.items() if exercise.takes_numbers}
    assert takes == {"layer", "value-and-gradient", "modules", "dot-g", "mlp", "param-pairs"}
