"""How rounding errors grow in a variant's own derivatives: what is natural is no finite difference."""

from __future__ import annotations

from pathlib import Path

import torch

from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.exercises.functions.reference import derivative_growth
from pytest_backprop.exercises.functions.scenarios import points

CANCELLING = """
def v1():
    r1 = x3 * 4 * x1 / x3 + 2 * x3 * (2 * w0)
    r2 = x2 / x3 * (w1 ** 2 * w1)
    r3 = (4 * w1 + x2) * (w1 * (4 * w0)) ** 2
    return r1 + (r2 - r3 / (r2 - r3))
"""
"""Two terms of the tangent of `r3 / (r2 - r3)` by w1 nearly cancel: right passes in forward mode were refused."""
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
    weights, inputs = (
        torch.tensor(side, dtype=torch.float64)[rows] for side in (at.weights, at.inputs)
    )
    off = derivative_growth(variant, weights, inputs)
    # a tangent that is zero everywhere has none
    return float(off.nanquantile(0.1, dim=0).nan_to_num(0.0).max())


def test_terms_that_nearly_cancel_make_errors_grow_in_the_variant_itself(tmp_path: Path) -> None:
    assert growth(tmp_path, CANCELLING) > 10
    assert growth(tmp_path, PLAIN) < 3
