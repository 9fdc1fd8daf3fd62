"""How rounding errors grow in a variant's own gradients: what is natural is no finite
difference."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from one_pass import case_of

from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.exercises.functions.reference import gradient_growth
from pytest_backprop.exercises.functions.scenarios import points
from pytest_backprop.judging.differences import finite_difference

CANCELLING = """
def v1():
    return w0 * x1 + w1 + 8192 * (w1 / w1)
"""
"""The two terms of the derivative of `w1 / w1` cancel, and what autograd adds by each is off by a
rounding."""
PLAIN = """
def v2():
    return x1 * w0 ** 2 + x2 * w0 * w1 + x3 / w1
"""


def growth(folder: Path, text: str) -> float:
    """At nine of ten points, the greatest."""
    name = text.split("(")[0].split()[-1]
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    variant: Variant = load_bank(folder).get(name)
    at = points(variant, 0, 240)
    rows = [row for row, regime in enumerate(at.regimes) if regime in ("assignment", "signed")]
    drawn = torch.tensor(at.rows, dtype=torch.float64)[rows]
    return float(gradient_growth(variant, drawn).nanquantile(0.1, dim=0).max())


def test_terms_that_cancel_make_errors_grow_in_the_variant_itself(tmp_path: Path) -> None:
    assert growth(tmp_path, CANCELLING) > 100
    assert growth(tmp_path, PLAIN) < 3


SOFT_LABELS = """
SIZES = {{"n": {n}, "c": 2, "d": {d}}}
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *, W: Float[Tensor, "d c"]):
    return -(torch.softmax(y, 1) * torch.log_softmax(x @ W, 1)).sum() / x.shape[0]
"""
PASS = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Parameter(torch.randn(2, 2))

    def forward(self, x, y):
        return -(torch.softmax(y, 1) * torch.log_softmax(x @ self.W, 1)).sum() / x.shape[0]

    def my_forward_backward(self, x, y):
        scores = x @ self.W
        most = scores.max(1, keepdim=True)[0]
        logp = scores - (torch.log(torch.exp(scores - most).sum(1, keepdim=True)) + most)
        target = torch.softmax(y, 1)
        {gradient}
        return -(target * logp).sum() / len(x)
"""
BY_RULE = "self.W.grad = x.T @ (logp.exp() - target) / len(x)"
BY_DIFFERENCE = """steps = 1e-2 * torch.eye(2)
        up, down = (
            -(target * torch.log_softmax(scores + sign * steps[:, None], 2)).sum(2)
            for sign in (1, -1)
        )
        self.W.grad = x.T @ ((up - down) / 2e-2).T / len(x)"""


@pytest.mark.parametrize(("n", "d"), [(3, 30), (1, 20)])
def test_large_scores_less_their_logsumexp_are_no_difference(n: int, d: int) -> None:
    task = SOFT_LABELS.format(n=n, d=d)
    assert finite_difference(case_of(PASS.format(gradient=BY_RULE), task)) is None
    cheat = finite_difference(case_of(PASS.format(gradient=BY_DIFFERENCE), task))
    assert cheat is not None
