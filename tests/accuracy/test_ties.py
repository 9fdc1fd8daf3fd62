"""The oracle for ties, on a pass of a few lines."""

from __future__ import annotations

import pytest
from ties import is_tie

VARIANT = "def v8():\n  t1 = w0 * x1\n  t2 = w1 + t1\n  return x2 / t2\n"
RIGHT = {"g2": "-x2 / t2 ** 2", "g1": "g2", "dw0": "g1 * x1", "dw1": "g2"}
FIRST = 13


def written(**faults: str) -> str:
    """A pass with a fault."""
    head = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        t1, t2 = w0 * x1, w1 + w0 * x1
"""
    steps = [f"        {name} = {value}" for name, value in (RIGHT | faults).items()]
    end = ["        self.w.grad = torch.stack([dw0, dw1])", "        return x2 / t2"]
    return head + "\n".join([*steps, *end]) + "\n"


def line_of(name: str) -> int:
    """Where a step stands."""
    return FIRST + list(RIGHT).index(name)


@pytest.mark.parametrize(
    ("faulty", "fault", "accused", "tie"),
    [
        # ∂y/∂t1 is the same as ∂y/∂t2, so the factor is as well lost in either line
        ("dw0", "g1", "g1", True),
        # g1 would be the negative of ∂y/∂t1, and dw0 make up for it
        ("g1", "-g2", "dw0", False),
        # no slip of dw1 mends dw0
        ("g1", "-g2", "dw1", False),
    ],
)
def test_a_line_is_a_tie_where_a_slip_of_it_leaves_nothing_odd(
    faulty: str, fault: str, accused: str, tie: bool
) -> None:
    text = written(**{faulty: fault})
    assert text.splitlines()[line_of(faulty) - 1].strip() == f"{faulty} = {fault}"
    assert is_tie(VARIANT, text, line_of(accused), [line_of(faulty)]) is tie
