"""The prime field, its dual numbers and exact replays, against Python's own fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from trace_lab import record

from pytest_backprop.trace.exact import ERROR, ExactProgram, NotRational, points_needed
from pytest_backprop.trace.field import PRIME, Dual, Pole, inverse, power, residue
from pytest_backprop.trace.graph import DataFlow

RESIDUES = st.integers(0, PRIME - 1)
FRACTIONS = st.fractions(max_denominator=10**9)
SMALL = st.fractions(-9, 9, max_denominator=7)
QUICK = settings(max_examples=200, derandomize=True)


# -- the field ----------------------------------------------------------------------------------


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


# -- dual numbers -------------------------------------------------------------------------------

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


# -- exact replays ------------------------------------------------------------------------------

NAMES = ("w0", "w1", "x1", "x2", "x3")
TEXTS = st.recursive(
    st.sampled_from([*NAMES, "(2.0 * w0)", "(w1 - 0.5)"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("(-{})".format, inner),
        st.builds("({} ** {})".format, inner, st.sampled_from([2, 3, -1])),
    ),
    max_leaves=6,
)


def exact(body: str) -> ExactProgram:
    recording = record(f"w0, w1 = self.w\n{body}")
    return ExactProgram(recording, DataFlow(recording))


@given(TEXTS, TEXTS, st.lists(st.integers(2, 10**6), min_size=5, max_size=5))
@settings(max_examples=80, derandomize=True)
def test_an_exact_replay_is_the_program_on_fractions(
    text: str, other: str, numbers: list[int]
) -> None:
    values = {name: Fraction(n) for name, n in zip(NAMES, numbers, strict=True)}
    values |= {"two": Fraction(2), "half": Fraction(1, 2)}
    try:
        # our own texts
        wanted = [
            eval(t.replace("2.0", "two").replace("0.5", "half"), {}, dict(values))
            for t in (text, other)
        ]
    except ZeroDivisionError:
        return
    program = exact(
        f"y = {text} + x1 * 0\nself.w.grad = torch.stack([{other} + x1 * 0, y * 2.0])\nreturn y"
    )
    got = program.run(numbers[:2], numbers[2:])
    first, second = (residue(Fraction(n)) for n in wanted)
    assert got == (first, (second, first * 2 % PRIME))


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
@settings(max_examples=40, derandomize=True)
def test_the_degree_is_no_less_than_the_true_one(a: int, b: int, c: int) -> None:
    body = f"y = (w0 ** {a} * x1 ** {b} + 1) / (w1 + x2) ** {c}\nself.w.grad = torch.stack([y, y])\nreturn y"
    assert exact(body).degree >= max(a + b, c)


@pytest.mark.parametrize(
    "made", ["torch.full_like(y, 3.0)", "y.new_full((), 3.0)", "torch.full((), 3.0)"]
)
def test_a_number_that_fills_a_tensor_is_taken_as_it_is(made: str) -> None:
    program = exact(f"y = w0 * w1\nself.w.grad = torch.stack([y * {made}, y])\nreturn y")
    assert program.run([2, 5], [4, 5, 6]).gradients == (30, 10)


@pytest.mark.parametrize(
    "line", ["torch.exp(w0)", "torch.relu(w0)", "w0 ** 0.5", "w0 ** x1", "w0 ** 65", "torch.sqrt(w0)"]
)  # fmt: skip
def test_what_is_not_rational_is_refused(line: str) -> None:
    with pytest.raises(NotRational):
        exact(f"y = {line}\nself.w.grad = torch.stack([y, y])\nreturn y").run([2, 3], [4, 5, 6])


@pytest.mark.parametrize("degree", [1, 10, 10**6, 3 * 10**10, 4 * 10**10, 10**15, 2**58])
def test_so_many_points_make_an_error_unlikely_enough_and_one_less_would_not(degree: int) -> None:
    count = points_needed(degree)
    chance = Fraction(2 * degree, PRIME)
    assert chance**count <= ERROR * (1 + 1e-9)
    assert count == 2 or chance ** (count - 1) > ERROR


@pytest.mark.parametrize("degree", [2**59, 10**30])
def test_a_degree_over_the_bound_gets_no_points(degree: int) -> None:
    with pytest.raises(NotRational, match="too high"):
        points_needed(degree)


@pytest.mark.parametrize(
    "idle",
    [
        "torch.stack([x1, x2]).cumsum(0)",  # no rule, and nobody needs it
        "z = torch.exp(w0 * x1)",
        "h = torch.stack([x1, x2])\nh.cumsum_(0)\nh = h * 2",
        "z = torch.full((4096,), 0.5)",  # as many numbers as there is no room for
    ],
)
def test_what_nobody_needs_spoils_no_exact_replay(idle: str) -> None:
    program = exact(f"{idle}\ny = w0 * w1\nself.w.grad = torch.stack([y * x1, y])\nreturn y")
    assert program.run([2, 3], [4, 5, 6]) == (6, (24, 6))


def test_what_an_op_without_a_rule_writes_to_is_not_taken_for_what_it_was() -> None:
    body = (
        "h = torch.stack([w0, w1])\nv = h.view(2)\nh.cumsum_(0)\nh[0] = x1\n"
        "y = v[1] * 1\nself.w.grad = torch.stack([y, y])\nreturn y"
    )
    with pytest.raises(NotRational):
        exact(body).run([2, 3], [4, 5, 6])
