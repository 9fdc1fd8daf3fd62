"""What the last round of a loop calculates for a next one, which does not come, is one fault a line; what no round
reads is one an expression."""

from __future__ import annotations

from pathlib import Path

import pytest
from forms_grading import graded

from pytest_backprop.exercises import FORWARD_BACKWARD

TASK = """
    def v1(x: Float[Tensor, "t n"], *, w: Float[Tensor, "n"]):
        h = torch.zeros_like(x[0])
        for row in x:
            h = torch.tanh(w * h + row)
        return h.sum()
"""
SUBMISSION = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.randn(3))

        def forward(self, x):
            h = torch.zeros_like(x[0])
            for row in x:
                h = torch.tanh(self.w * h + row)
            return h.sum()

        def my_forward_backward(self, x):
            hs = [torch.zeros_like(x[0])]
            for row in x:
                hs.append(torch.tanh(self.w * hs[-1] + row))
            dh, dw = torch.ones_like(hs[-1]), torch.zeros_like(self.w)
            for t in range(len(x), 0, -1):
                da = dh * (1 - hs[t] ** 2)
                dw = dw + da * hs[t - 1]
                {carry}
            self.w.grad = dw
            return hs[-1].sum()
"""


@pytest.mark.parametrize(
    ("carry", "lost"),
    [
        pytest.param("if t > 1: dh = da * self.w", 0, id="none"),
        pytest.param("dh = (2 * da + da - 2 * da) * self.w", 1, id="a line of several ops"),
        pytest.param("dh = da * self.w; dz = 2 * (da + 1)", 10, id="what no round reads"),
    ],
)
def test_an_unread_carry_is_one_fault_a_line(carry: str, lost: int, tmp_path: Path) -> None:
    grade = graded(FORWARD_BACKWARD, TASK, SUBMISSION.format(carry=carry), tmp_path)
    (check,) = (check for check in grade.checks if check.result.id == "unused-nodes")
    assert check.score == pytest.approx(15 - 1.5 * lost), check.result
