"""How rounding errors grow in a variant's own gradients: what is natural is no finite
difference."""

from __future__ import annotations

from pathlib import Path

import torch

from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.exercises.functions.reference import gradient_growth
from pytest_backprop.exercises.functions.scenarios import points

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
