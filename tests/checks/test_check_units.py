"""The checks' own arithmetic on hand-made numbers: mismatches, singular points, credit."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings, strategies as st

from pytest_backprop.exercises.functions.reference import Expected
from pytest_backprop.judging.case import Tolerance
from pytest_backprop.judging.compare import Mismatch, mismatch, on_singularities, told_by_single
from pytest_backprop.judging.credit import verdict
from pytest_backprop.model import CheckRules

TOLERANCE = Tolerance(5e-5, 1e-7)
INF, NAN = math.inf, math.nan


def numbers(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def judged(count: int, *left_out: int) -> torch.Tensor:
    return torch.tensor([i not in left_out for i in range(count)], dtype=torch.bool)


# -- mismatch -------------------------------------------------------------------------------


def test_equal_numbers_match() -> None:
    assert mismatch(numbers(1, -2, 0), numbers(1, -2, 0), judged(3), TOLERANCE) is None


def test_no_points_are_no_mismatch() -> None:
    assert mismatch(numbers(1, 2), numbers(3, 4), judged(2, 0, 1), TOLERANCE) is None
    assert mismatch(numbers(), numbers(), judged(0), TOLERANCE) is None


@pytest.mark.parametrize("got", [NAN, INF, -INF])
@pytest.mark.parametrize("expected", [1.0, 0.0])
def test_what_is_not_finite_matches_no_number(got: float, expected: float) -> None:
    found = mismatch(numbers(expected, got), numbers(expected, expected), judged(2), TOLERANCE)
    assert found is not None
    assert (found.failed, found.judged, found.example) == (1, 2, 1)
    assert found.absolute == INF


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_what_is_not_finite_does_not_match_itself(value: float) -> None:
    assert mismatch(numbers(value), numbers(value), judged(1), TOLERANCE) is not None


@given(st.floats(-1e6, 1e6), st.floats(-2, 2), st.floats(1e-9, 1e-2), st.floats(0, 1e-3))
@settings(max_examples=200, derandomize=True)
def test_the_allowance_is_atol_plus_rtol_of_the_expected(
    expected: float, share: float, rtol: float, atol: float
) -> None:
    allowed = atol + rtol * abs(expected)
    got = expected + share * allowed
    if abs(abs(got - expected) - allowed) < 1e-12 * max(1, abs(expected)):
        return  # too near the edge for float64
    found = mismatch(numbers(got), numbers(expected), judged(1), Tolerance(rtol, atol))
    assert (found is None) == (abs(got - expected) <= allowed)


def test_the_worst_are_found_each_for_itself() -> None:
    expected = numbers(1000, 1e-3, 5, 7)
    got = numbers(1010, 3e-3, 5, 100)
    found = mismatch(got, expected, judged(4, 3), TOLERANCE)
    assert found == Mismatch(2, 3, 10.0, pytest.approx(2.0), 0, 1010.0, 1000.0)


def test_ties_show_the_first() -> None:
    found = mismatch(numbers(1, 2, 2, 1), numbers(1, 1, 1, 1), judged(4), TOLERANCE)
    assert found is not None
    assert found.example == 1


def test_the_example_is_a_simple_point_if_one_fails() -> None:
    regimes = ("large", "simple", "assignment", "simple")
    got, expected = numbers(9, 1, 9, 9), numbers(1, 1, 1, 1)
    found = mismatch(got, expected, judged(4), TOLERANCE, regimes)
    assert found is not None
    assert found.example == 3
    found = mismatch(got, expected, judged(4, 3), TOLERANCE, regimes)
    assert found is not None
    assert found.example == 0


def test_expected_zero_has_a_relative_difference() -> None:
    found = mismatch(numbers(1e-3), numbers(0), judged(1), TOLERANCE)
    assert found is not None
    assert found.relative > 1e100


def test_float32_numbers_are_compared_in_float64() -> None:
    got = torch.tensor([0.1], dtype=torch.float32)
    found = mismatch(got, numbers(0.1), judged(1), Tolerance(1e-12, 0.0))
    assert found is not None
    assert found.absolute == pytest.approx(1.49e-9, rel=0.01)


# -- singular points ------------------------------------------------------------------------


def test_singular_points_are_those_of_two_regimes_that_are_not_finite() -> None:
    regimes = ("simple", "near-equal", "assignment", "simple", "simple")
    got = numbers(NAN, INF, NAN, 1, NAN)
    found = on_singularities(got, judged(5, 4), regimes)
    assert found.tolist() == [True, True, False, False, False]


def test_without_regimes_nothing_is_singular() -> None:
    assert on_singularities(numbers(NAN, NAN), judged(2), ()).tolist() == [False, False]


def test_observed_points_are_judged_where_float32_can_tell() -> None:
    expected = Expected(
        points=torch.zeros(3, 2),
        outputs={"value": numbers(1, 1, 1)[:, None], "grad.w0": numbers(1, 1, 1)[:, None]},
        judged=judged(3, 2), regimes=("signed",) * 3,
        float32_error={"value": numbers(1e-7, 1e-5, 0)[:, None],
                       "grad.w0": numbers(1e-7, 1e-7, 1)[:, None]},
    )  # fmt: skip
    assert told_by_single(expected, TOLERANCE, ["value"]).tolist() == [True, False, True]
    assert told_by_single(expected, TOLERANCE, ["grad.w0"]).tolist() == [True, True, False]
    assert told_by_single(expected, TOLERANCE).tolist() == [True, False, False]


# -- credit ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "faults", "right", "total", "wanted"),
    [
        (CheckRules(10), 0, 0, 1, 1.0),
        (CheckRules(10), 1, 0, 1, 0.0),
        (CheckRules(10, "share"), 1, 1, 2, 0.5),
        (CheckRules(10, "share"), 0, 2, 2, 1.0),
        (CheckRules(10, "share"), 0, 0, 0, 1.0),
        (CheckRules(10, "share"), 3, 0, 0, 0.0),
        (CheckRules(10, "per-finding", 0.1), 3, 0, 1, 0.7),
        (CheckRules(10, "per-finding", 0.1), 10, 0, 1, 0.0),
        (CheckRules(10, "per-finding", 0.1), 11, 0, 1, 0.0),
        (CheckRules(10, "per-finding", 0.0), 5, 0, 1, 1.0),
        (CheckRules(10, "per-finding", 1.0), 1, 0, 1, 0.0),
    ],
)
def test_credit(rules: CheckRules, faults: int, right: int, total: int, wanted: float) -> None:
    assert verdict(rules, faults, right, total)[1] == wanted


@given(
    st.sampled_from(["all-or-nothing", "share", "per-finding"]),
    st.floats(0, 1), st.integers(0, 40), st.integers(0, 9), st.integers(0, 9),
)  # fmt: skip
@settings(max_examples=200, derandomize=True)
def test_credit_is_a_share_and_never_grows_with_faults(
    credit: str, penalty: float, faults: int, a: int, b: int
) -> None:
    rules = CheckRules(10, credit, penalty)  # type: ignore[arg-type]
    outcome, found = verdict(rules, faults, min(a, b), max(a, b))
    assert 0 <= found <= 1
    assert verdict(rules, faults + 1, min(a, b), max(a, b))[1] <= found
    assert (outcome == "failed") == (found == 0)
    assert (outcome == "passed") == (faults == 0)


@pytest.mark.parametrize("counts", [(-1, 0, 1), (0, 2, 1), (0, -1, 1)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        verdict(CheckRules(10), *counts)
