"""A pass that writes to the places of a mask: where one number is written, torch makes a scalar of it, and
where none is, nothing. So the recording of a run does not hold at each of the grader's points."""

from __future__ import annotations

from pathlib import Path

from forms_grading import graded

from pytest_backprop.exercises import BUILT_IN

TASK = """
EXERCISE = "layer"
CALLS = ("leaky_forward", "leaky_backward")
SIZES = {"n": (1, 1)}
RANGES = {"x": (-3, 3)}


def v1(x: Float[Tensor, "n"]):
    return torch.where(x > -2.9, x, 0.1 * x)
"""
PAIR = """
import torch


def leaky_forward(x):
    return torch.where(x > -2.9, x, 0.1 * x), x > -2.9


def leaky_backward(dout, straight):
    dx = 0.1 * dout
    dx[straight] = dout[straight]
    return dx
"""


def test_a_pass_that_is_right_is_judged_by_more_runs(tmp_path: Path) -> None:
    grade = graded(BUILT_IN["layer"], TASK, PAIR, tmp_path)
    assert [*filter(None, (check.result.findings for check in grade.checks))] == []


def test_one_that_is_wrong_where_the_mask_is_empty_fails(tmp_path: Path) -> None:
    wrong = PAIR.replace("dx = 0.1 * dout", "dx = 0.2 * dout")
    grade = graded(BUILT_IN["layer"], TASK, wrong, tmp_path)
    (finding, *_) = next(c for c in grade.checks if c.result.id == "gradient").result.findings
    assert "the gradient of x[0]" in finding.message
    assert "nan" not in finding.message
