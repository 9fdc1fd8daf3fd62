"""Which line of a wrong pass on matrices is told: real submissions, one fault each, through the grader."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm_zygote import warm_worker

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Finding

BANK = Path(__file__).parents[1] / "submissions" / "bank"
LINEAR = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))
    def forward(self, x, y):
        return torch.mean((x @ self.w + self.b - y) ** 2)
    def my_forward_backward(self, x, y):
        off = x @ self.w + self.b - y
        loss = (off ** 2).mean()
        doff = 2 * off
        off = None
        g = doff / y.numel()
        doff = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        g = None
        return loss
"""
LAYERS = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(3, 4))
        self.b1 = nn.Parameter(torch.zeros(4))
        self.w2 = nn.Parameter(torch.randn(4, 2))
        self.b2 = nn.Parameter(torch.zeros(2))
    def forward(self, x, y):
        h = torch.relu(x @ self.w1 + self.b1)
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]
    def my_forward_backward(self, x, y):
        z = x @ self.w1 + self.b1
        h = z.relu()
        off = h @ self.w2 + self.b2 - y
        loss = (off ** 2).sum() / x.shape[0]
        g = 2 * off / x.shape[0]
        off = None
        self.w2.grad = h.T @ g
        h = None
        self.b2.grad = g.sum(0)
        dh = g @ self.w2.T
        g = None
        dz = dh * (z > 0)
        dh = None
        z = None
        self.w1.grad = x.T @ dz
        self.b1.grad = dz.sum(0)
        dz = None
        return loss
"""
CASES = {
    "nothing is wrong": ("v911", LINEAR, "", "", None),
    "nothing is wrong in two layers": ("v912", LAYERS, "", "", None),
    "a lost factor": ("v911", LINEAR, "doff = 2 * off", "doff = off", "g = doff / y.numel()"),
    "a wrong sign": ("v911", LINEAR, "doff = 2 * off", "doff = -2 * off", "doff = -2 * off"),
    "a wrong mean": ("v911", LINEAR, "doff / y.numel()", "doff / (y.numel() + 1)",
                     "g = doff / (y.numel() + 1)"),
    "a sum for all": ("v912", LAYERS, "self.b2.grad = g.sum(0)",
                      "self.b2.grad = g.sum() * torch.ones_like(self.b2)",
                      "self.b2.grad = g.sum() * torch.ones_like(self.b2)"),
    "a mask the wrong way round": ("v912", LAYERS, "(z > 0)", "(z < 0)", "dz = dh * (z < 0)"),
    "a wrong value": ("v911", LINEAR, "off ** 2", "off ** 4", "loss = (off ** 4).mean()"),
}  # fmt: skip


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 30, 2**30)
    with contextlib.closing(
        Grader(plan, default_rubric(), load_bank(BANK), None, warm_worker())
    ) as made:
        yield made


def lines(found: list[Finding]) -> list[str]:
    """What is told as gone wrong."""
    return [f.place.source.strip() for f in found if f.kind == "faulty-line" and f.place]


SELDOM = {"nothing is wrong", "a wrong mean", "a sum for all", "a wrong sign"}
"""What is left to the long run: others are of the same kind."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in SELDOM else []) for n in CASES]
)
def test_the_line_is_told(name: str, grader: Grader, tmp_path: Path) -> None:
    task, text, right, wrong, line = CASES[name]
    path = tmp_path / f"net_{task}.py"
    assert not right or right in text
    body = text.replace(right, wrong) if right else text
    if name == "a wrong value":  # in the pass alone
        ahead, behind = text.split("    def my_forward_backward")
        body = ahead + "    def my_forward_backward" + behind.replace(right, wrong)
    path.write_text(f"import torch\nfrom torch import nn\n{body}")
    grade = grader.grade(path, path.name)
    assert grade.status == "graded", grade.message
    found = [f for check in grade.checks for f in check.result.findings]
    if line is None:
        assert (grade.score, found) == (100, [])
    else:
        assert lines(found)[0] == line
