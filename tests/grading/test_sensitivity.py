"""Each mutant of a variant's gradients fails, or a usage error says which survives."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Variant, load_bank, parse_variant
from pytest_backprop.exercises.functions.reference import (
    MAX_LEFT_OUT,
    NOTABLE,
    Expected,
    check_conditioning,
    expected,
    left_out_note,
)
from pytest_backprop.exercises.functions.scenarios import points
from pytest_backprop.grading.tasks import check_sensitivity
from pytest_backprop.judging.case import Tolerance

VARIANTS = load_bank(Path(__file__).parents[2] / "variants").values()
OWN = load_bank(Path(__file__).parents[1] / "submissions" / "bank").values()
ASSIGNMENT = Tolerance(5e-5, 1e-7)


def variant(expression: str) -> Variant:
    return parse_variant(f"def v77():\n    return {expression}")


def on_points(made: Variant, count: int = 60) -> Expected:
    return expected(made, points(made, 0, count))


def problem(expression: str, tolerance: Tolerance = ASSIGNMENT, count: int = 60) -> UsageProblem:
    made = variant(expression)
    with pytest.raises(UsageProblem) as caught:
        check_sensitivity(made, on_points(made, count), tolerance)
    return caught.value


@pytest.mark.parametrize("made", [*VARIANTS, *OWN], ids=lambda made: made.name)
def test_every_mutant_of_every_variant_fails(made: Variant) -> None:
    judged = expected(made, points(made, 0, 256))
    check_conditioning(made, judged)
    check_sensitivity(made, judged, ASSIGNMENT)


SURVIVORS = {
    "zero": ("w0 * x1 * w1 + x2", Tolerance(1.0, 1e-7), "the gradient of w0 times 1.001 would pass"),
    "zero by atol": ("w0 * x1 * w1", Tolerance(5e-5, 1e9), "the gradient of w0 times 1.001 would pass"),
    "factor 1.001": ("w0 * x1 * w1", Tolerance(2e-3, 1e-7), "the gradient of w0 times 1.001"),
}  # fmt: skip


@pytest.mark.parametrize("name", SURVIVORS)
def test_a_mutant_that_survives_is_named_with_the_way_out(name: str) -> None:
    expression, tolerance, told = SURVIVORS[name]
    found = problem(expression, tolerance)
    assert told in found.message
    assert f"at rtol {tolerance.rtol:g} and atol {tolerance.atol:g}" in found.message
    assert found.way_out == "lower the tolerances or raise the setting `points`"


def test_a_wrong_sign_and_other_factors_survive_only_where_nearly_the_right_one_does() -> None:
    """|-g - g| = 2 |g| and |2 g - g| = |g|: whoever lets one of them by lets 1.001 g by, which is
    tried. Each alone: rtol 1 lets factors 0 and 2 by, rtol 2 the sign as well."""
    made = variant("w0 * x1 * w1")
    judged = on_points(made)
    from pytest_backprop.judging.compare import mismatch

    right = judged.gradients[:, 0]
    for factor, rtol in ((0.0, 1.0), (2.0, 1.0), (-1.0, 2.0), (1.001, 1.01e-3)):
        below, at = Tolerance(rtol * 0.99, 0.0), Tolerance(rtol * 1.01, 0.0)
        assert mismatch(right * factor, right, judged.judged, below) is not None
        assert mismatch(right * factor, right, judged.judged, at) is None


NO_EFFECT = ["w0 - w0 + w1 * x1", "(w0 - w0) * x1 + w1 * x1", "w0 / w0 * x1 + w1", "w0 ** 2 * 0.0 * x1 + w1 + w0 - w0"]  # fmt: skip


@pytest.mark.parametrize("expression", NO_EFFECT)
def test_a_weight_without_effect_is_told_as_that(expression: str) -> None:
    found = problem(expression)
    assert "the result does not depend on w0: its gradient is 0 at all" in found.message
    assert found.way_out == "write the variant so that w0 matters, or without it"


@pytest.mark.parametrize(
    "expression", ["(w0 + w1) * x1", "w0 * x1 + w1 * x1", "x1 * (w0 + w1 + w2)"]
)
def test_weights_of_one_and_the_same_gradient_are_no_mutants(expression: str) -> None:
    made = variant(expression)
    check_sensitivity(made, on_points(made), ASSIGNMENT)


# -- points that are left out -------------------------------------------------------------------


def test_a_variant_with_too_few_points_is_refused() -> None:
    made = variant("torch.log(w0) * torch.log(w1) * x1")
    judged = on_points(made, 600)
    assert 1 - judged.judged.double().mean().item() > MAX_LEFT_OUT
    with pytest.raises(
        UsageProblem, match=r"v77 is ill-conditioned or has no value on \d+% of the 600"
    ):
        check_conditioning(made, judged)


def test_a_notable_share_is_told_and_a_small_one_is_not() -> None:
    made = variant("torch.sqrt(w0) * x1 + w1")
    judged = on_points(made, 600)
    assert NOTABLE < 1 - judged.judged.double().mean().item() < MAX_LEFT_OUT
    check_conditioning(made, judged)
    assert "of the 600 points were left out" in str(left_out_note(judged))
    assert left_out_note(on_points(variant("w0 * x1 + w1"), 600)) is None


@pytest.mark.parametrize("kink", ["torch.relu", "torch.abs"])
def test_a_point_on_a_kink_is_left_out(kink: str) -> None:
    """Any number between the two slopes is a derivative there, so none is held against it."""
    from pytest_backprop.exercises.functions.scenarios import Points

    made = variant(f"{kink}(w0 * x1 - w1 * x1)")
    given = Points(((2.0, 2.0, 3.0), (2.0, 1.0, 3.0)), ("simple", "simple"))
    assert expected(made, given).judged.tolist() == [False, True]


def test_a_kink_of_nearly_equal_slopes_is_left_out_too() -> None:
    from pytest_backprop.exercises.functions.scenarios import Points

    made = variant("torch.maximum(w0, w0 * w0) * x1 / 1000 + w0 * w1 * x1")
    given = Points(((1.0, 3.0, 2.0), (1.5, 3.0, 2.0)), ("simple", "simple"))
    assert expected(made, given).judged.tolist() == [False, True]


def test_terms_that_cancel_in_one_formula_are_not_judged_by_it() -> None:
    """autograd's own terms for w1 cancel to the last bit; another right formula's need not."""
    from pytest_backprop.exercises.functions.scenarios import Points

    made = variant("torch.exp(w0) ** 6 * w1 * (x1 / w1) + w1 * x1 / 1000")
    given = Points(((20.0, 2.0, 4.0), (0.5, 2.0, 4.0)), ("large", "assignment"))
    assert expected(made, given).judged.tolist() == [False, True]
