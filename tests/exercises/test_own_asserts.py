"""What a Function asks of its callers by an `assert` or a `raise` is no mistake where tensors are not as at draws."""

from __future__ import annotations

from pathlib import Path

import pytest
from forms_grading import graded

from pytest_backprop.exercises import AUTOGRAD_FUNCTION

TASK = """
    EXERCISE = "autograd-function"
    {order}

    def v1(x: Float[Tensor, "n d"]):
        return x * x
"""
SUBMISSION = """
    import torch

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            {forward}
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            {backward}
            (x,) = ctx.saved_tensors
            return 2 * x * grad_output
"""


@pytest.mark.parametrize(
    ("forward", "backward", "order", "lost", "notes"),
    [
        pytest.param("assert x.is_contiguous(), 'x'", "", "", None, 3, id="contiguous"),
        pytest.param("", "assert grad_output.is_contiguous()", "", None, 3, id="its adjoint"),
        pytest.param(
            "if x.dtype != torch.float32:\n                raise TypeError(x.dtype)",
            "",
            "",
            None,
            1,
            id="float32",
        ),
        pytest.param("x.view(-1)", "", "", "forward", 0, id="torch refuses"),
        pytest.param("assert len(x)", "", "", "forward", 0, id="not of a layout"),
        pytest.param(
            "assert x.is_contiguous()", "", "ORDER = 2", "forward", 0, id="second derivatives"
        ),
    ],
)
def test_own_asserts(
    forward: str, backward: str, order: str, lost: str | None, notes: int, tmp_path: Path
) -> None:
    text = SUBMISSION.format(forward=forward, backward=backward)
    grade = graded(AUTOGRAD_FUNCTION, TASK.format(order=order), text, tmp_path)
    assert lost in [None, *(c.result.id for c in grade.checks if c.score < c.max_score)]
    assert (grade.score == grade.max_score) == (lost is None)
    assert sum("refuses them, which costs nothing" in note for note in grade.notes) == notes
