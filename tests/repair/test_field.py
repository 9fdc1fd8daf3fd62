"""The prime field, against Python's own fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.repair.field import PRIME, Pole, inverse, power, residue

RESIDUES = st.integers(0, PRIME - 1)
FRACTIONS = st.fractions(max_denominator=10**9)
QUICK = settings(max_examples=200, derandomize=True)


@given(FRACTIONS, FRACTIONS)
@QUICK
def test_fractions_map_to_residues_with_their_sums_and_products(a: Fraction, b: Fraction) -> None:
    assert residue(a + b) == (residue(a) + residue(b)) % PRIME
    assert residue(a - b) == (residue(a) - residue(b)) % PRIME
    assert residue(a * b) == residue(a) * residue(b) % PRIME
    if b:
        assert residue(a / b) == residue(a) * inverse(residue(b)) % PRIME


@given(RESIDUES)
@QUICK
def test_every_residue_but_zero_has_an_inverse(a: int) -> None:
    if a:
        assert a * inverse(a) % PRIME == 1
    else:
        with pytest.raises(Pole):
            inverse(a)


@given(st.integers(1, PRIME - 1), st.integers(-40, 40), st.integers(-40, 40))
@QUICK
def test_powers_add_and_multiply(a: int, m: int, n: int) -> None:
    assert power(a, m) * power(a, n) % PRIME == power(a, m + n)
    assert power(power(a, m), n) == power(a, m * n)


@given(st.floats(-1e9, 1e9))
@QUICK
def test_floats_are_taken_exactly(number: float) -> None:
    assert residue(number) == residue(Fraction(number))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_what_is_not_finite_has_no_residue(number: float) -> None:
    with pytest.raises((OverflowError, ValueError)):
        residue(number)
