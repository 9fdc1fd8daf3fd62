"""Dual numbers over the prime field, by which drawn variants are examined, against fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings, strategies as st

from pytest_backprop.repair.field import PRIME, Pole, residue
from pytest_backprop_authoring.variants.dual import Dual

RESIDUES = st.integers(0, PRIME - 1)
SMALL = st.fractions(-9, 9, max_denominator=7)
QUICK = settings(max_examples=200, derandomize=True)
DUALS = st.builds(lambda v, p, q: Dual(v, (p, q)), RESIDUES, RESIDUES, RESIDUES)


def parts(d: Dual) -> tuple[int, tuple[int, ...]]:
    return d.value, d.slopes


@given(DUALS, DUALS, DUALS)
@QUICK
def test_duals_are_a_commutative_ring(a: Dual, b: Dual, c: Dual) -> None:
    assert parts(a + b) == parts(b + a)
    assert parts(a * b) == parts(b * a)
    assert parts((a + b) + c) == parts(a + (b + c))
    assert parts((a * b) * c) == parts(a * (b * c))
    assert parts(a * (b + c)) == parts(a * b + a * c)
    assert parts(a + 0) == parts(a * 1) == parts(+a) == parts(a)
    assert parts(a - a) == (0, (0, 0))
    assert parts(0 - a) == parts(-a)


@given(DUALS, DUALS, st.integers(-6, 6))
@QUICK
def test_duals_divide(a: Dual, b: Dual, n: int) -> None:
    assume(b.value)
    assert parts(a / b * b) == parts(a)
    assert parts(1 / b) == parts(b**-1)
    product = Dual(1, (0, 0))
    for _ in range(abs(n)):
        product = product * b if n > 0 else product / b
    assert parts(b**n) == parts(product)


def test_a_dual_of_zero_has_no_inverse() -> None:
    with pytest.raises(Pole):
        1 / Dual(0, (1, 1))


Tree = tuple[object, ...]
LEAVES = st.sampled_from([("v", 0), ("v", 1), ("c", 2), ("c", Fraction(1, 2)), ("c", -3)])
TREES: st.SearchStrategy[Tree] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner),
        st.tuples(st.just("**"), inner, st.integers(-3, 3)),
    ),
    max_leaves=8,
)


class Quotient:
    """A quotient of polynomials in e, in full: what a dual number cuts short."""

    def __init__(self, over: list[Fraction], under: list[Fraction]) -> None:
        self.over, self.under = over, under

    def __add__(self, b: Quotient) -> Quotient:
        left, right = times(self.over, b.under), times(b.over, self.under)
        size = max(len(left), len(right))
        pad = [[*p, *[Fraction(0)] * (size - len(p))] for p in (left, right)]
        return Quotient([p + q for p, q in zip(*pad, strict=True)], times(self.under, b.under))

    def __mul__(self, b: Quotient) -> Quotient:
        return Quotient(times(self.over, b.over), times(self.under, b.under))

    def __sub__(self, b: Quotient) -> Quotient:
        return self + Quotient([Fraction(-1)], [Fraction(1)]) * b

    def __truediv__(self, b: Quotient) -> Quotient:
        if not b.over[0]:
            raise ZeroDivisionError
        return Quotient(times(self.over, b.under), times(self.under, b.over))

    def __pow__(self, n: int) -> Quotient:
        made = Quotient([Fraction(1)], [Fraction(1)])
        for _ in range(abs(n)):
            made = made * self if n > 0 else made / self
        return made

    def slope(self) -> Fraction:
        (p, p1), (q, q1) = ((*s, Fraction(0))[:2] for s in (self.over, self.under))
        return (p1 * q - p * q1) / q**2


def times(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    made = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            made[i + j] += p * q
    return made


def worth(tree: Tree, leaves, lift):  # type: ignore[no-untyped-def]
    kind = tree[0]
    if kind == "v":
        return leaves[tree[1]]
    if kind == "c":
        return lift(tree[1])
    a = worth(tree[1], leaves, lift)  # type: ignore[arg-type]
    if kind == "**":
        return a ** tree[2]
    b = worth(tree[2], leaves, lift)  # type: ignore[arg-type]
    return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[kind](b)  # type: ignore[index]


@given(TREES, SMALL, SMALL)
@QUICK
def test_slopes_are_the_derivatives_by_fractions(tree: Tree, a: Fraction, b: Fraction) -> None:
    one = [Fraction(1)]
    slopes = []
    try:
        for moved in (0, 1):
            leaves = [
                Quotient([value, Fraction(int(i == moved))], one) for i, value in enumerate((a, b))
            ]
            quotient = worth(tree, leaves, lambda c: Quotient([Fraction(c)], one))
            slopes.append(residue(quotient.slope()))
            value = residue(quotient.over[0] / quotient.under[0])
    except ZeroDivisionError:
        return
    duals = [Dual(residue(v), (int(i == 0), int(i == 1))) for i, v in enumerate((a, b))]
    got = worth(tree, duals, lambda c: Dual(residue(c), (0, 0)))
    assert parts(got) == (value, tuple(slopes))
