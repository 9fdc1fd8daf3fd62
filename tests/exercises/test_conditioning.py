"""Which points can be judged: where rounding alone cannot make a right answer wrong."""

from __future__ import annotations

import torch

from pytest_backprop.exercises.functions.bank import parse_variant
from pytest_backprop.exercises.functions.reference import expected
from pytest_backprop.exercises.functions.scenarios import Points, points

CANCELS = """
def v190():
    r1 = x2 * w1 / ((w0 ** 3 * x1).abs() / x2)
    r2 = ((w1 ** 2 / w1 ** 3 / (x2 ** 3 / x1)) ** 3 + w1 ** 2 / x3) * ((x1 / x1 ** 2) ** 2 + 0.5) ** 0.5
    r3 = 4 * x3 / w1 / (w0 / x2) * (w0 / (2 * w1))
    return r3 * r1 + r2 / (r3 + x2)
"""
"""w0 cancels in r3: two terms of 1e18 in its gradient, of which 1e5 is left. Found by the generator
(seed 200090): in float32 the two may cancel exactly, and the point looked harmless."""


def test_a_point_where_huge_terms_happen_to_cancel_is_not_judged() -> None:
    variant = parse_variant(CANCELS)
    at = Points(
        (
            (
                *(0.013214203529059887, -0.02562839910387993),
                *(0.025029169395565987, -0.018895547837018967, 0.059677641838788986),
            ),
        ),
        ("small",),
    )
    assert not bool(expected(variant, at).judged[0])


def test_what_is_judged_holds_for_another_formula_of_the_same_function() -> None:
    """r3 with w0 cancelled by hand: on every judged point the two agree far within the tolerance."""
    variant = parse_variant(CANCELS)
    plain = parse_variant(CANCELS.replace("/ (w0 / x2) * (w0 / (2 * w1))", "* x2 / (2 * w1)"))
    given = points(variant, 3, 2048)
    ours, theirs = expected(variant, given), expected(plain, given)
    judged = ours.judged
    assert 200 < int(judged.sum()) < 2048
    value, wanted = (each.outputs["value"][judged] for each in (ours, theirs))
    torch.testing.assert_close(value, wanted, rtol=1e-6, atol=1e-9)
    torch.testing.assert_close(
        ours.gradients[judged], theirs.gradients[judged], rtol=1e-6, atol=1e-9
    )
