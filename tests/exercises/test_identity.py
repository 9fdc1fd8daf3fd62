"""Exact identity of a pass and a variant: what it says, and what it leaves unsaid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_lab import record

from pytest_backprop.exercises.functions.bank import parse_variant
from pytest_backprop.exercises.functions.identity import Identity, identity
from pytest_backprop.trace.graph import DataFlow


def compared(expression: str, body: str) -> Identity:
    variant = parse_variant(f"def v77():\n    return {expression}")
    recording = record(f"w0, w1 = self.w\n{body}")
    return identity(variant, recording, DataFlow(recording))


VARIANT = "(w0 * x1 + w1) ** 2 / x2 + x3"
RIGHT = """
a = w0 * x1 + w1
y = a * a / x2 + x3
self.w.grad = torch.stack([2 * a * x1 / x2, 2 * a / x2])
return y
"""


def test_the_variant_itself() -> None:
    assert compared(VARIANT, RIGHT) == Identity(True, (True, True), 2)


@pytest.mark.parametrize(
    ("old", "new", "value", "gradients"),
    [
        ("a * a / x2", "a * a / x2 * 1.0000001", False, (True, True)),
        ("2 * a * x1 / x2", "2.0000001 * a * x1 / x2", True, (False, True)),
        ("2 * a / x2]", "2 * a / x2 + 1e-12]", True, (True, False)),
        ("a * a", "((a + 1e15) * a - 1e15 * a)", True, (True, True)),
        ("w0 * x1 + w1\n", "w1 + x1 * w0 + (x3 - x3)\n", True, (True, True)),
    ],
)
def test_the_smallest_difference_is_told_and_another_formula_is_none(
    old: str, new: str, value: bool, gradients: tuple[bool, bool]
) -> None:
    assert old in RIGHT
    found = compared(VARIANT, RIGHT.replace(old, new))
    assert (found.value, found.gradients) == (value, gradients)


ONES = "torch.ones_like(a)"
SPELLINGS = {
    "dot": "torch.dot(torch.stack([2 * a, 1 / x2]), torch.stack([1 / x2, {z}]))",
    "mv": "torch.mv(torch.stack([torch.stack([a, a]), torch.stack([x1, x1])]), "
    "torch.stack([1 / x2, 1 / x2 + {z}]))[0]",
    "mm": "(torch.stack([torch.stack([a, x1])]) @ torch.stack([torch.stack([2 / x2, x3]), "
    "torch.stack([{z}, a])]))[0, 0]",
    "sum": "torch.stack([a / x2, a / x2, {z}]).sum()",
    "mean": "torch.stack([a / x2, 3 * a / x2, {z}, {z}]).mean() * 2",
    "lerp": "torch.lerp(a, 2 * a / x2, " + ONES + " + {z})",
    "lerp with a number": "torch.lerp(-2 * a / x2, 2 * a / x2 + {z}, 1.0)",
    "addcmul": "torch.addcmul({z} + a / x2, a, 1 / x2)",
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_sums_and_products_of_vectors_are_compared_exactly(name: str) -> None:
    for extra, same in (("x1 - x1", True), ("x1 * 1e-12", False)):
        slope = SPELLINGS[name].format(z=f"({extra})")
        found = compared(VARIANT, RIGHT.replace("2 * a / x2]", f"{slope}]"))
        assert (found.value, found.gradients) == (True, (True, same)), (slope, found.reason)


UNSAID = {
    "a variant that is not rational": ("exp(w0) * x1 + w1 * x2 + x3", RIGHT, "not rational"),
    "a pass that is not": (VARIANT, RIGHT.replace("a * a", "a * a.abs()"), "abs"),
    "a pass that has poles only": (VARIANT, RIGHT.replace("/ x2 + x3", "/ (x2 - x2)"), "by zero"),
    "a degree over the bound": (
        VARIANT,
        "t = w0\nfor i in range(62):\n    t = t * t\n" + RIGHT.replace("+ x3", "+ x3 + (t - t)"),
        "degree too high",
    ),
    "a degree that no number holds": (
        VARIANT,
        "t = w0\nfor i in range(300):\n    t = t * t\n" + RIGHT.replace("+ x3", "+ x3 + (t - t)"),
        "degree out of bounds",
    ),
}


@pytest.mark.parametrize("name", UNSAID)
def test_what_cannot_be_said_is_not_claimed(name: str) -> None:
    expression, body, reason = UNSAID[name]
    found = compared(expression, body)
    assert (found.value, found.gradients) == (None, (None, None))
    assert reason in found.reason


def test_a_high_degree_takes_more_points() -> None:
    body = "t = w0\nfor i in range(40):\n    t = t * t\n" + RIGHT.replace("+ x3", "+ x3 + (t - t)")
    found = compared(VARIANT, body)
    assert (found.value, found.gradients) == (True, (True, True))
    assert found.points > 2


def test_without_a_recording_nothing_is_said() -> None:
    variant = parse_variant(f"def v77():\n    return {VARIANT}")
    assert identity(variant, None, None).value is None


TERMS = st.lists(
    st.tuples(st.integers(-4, 4).filter(bool), st.integers(0, 3), st.integers(0, 3)),
    min_size=2, max_size=4, unique_by=lambda term: term[1:],
)  # fmt: skip


def polynomial(terms: list[tuple[int, int, int]]) -> str:
    return " + ".join(f"{c} * w0 ** {i} * w1 ** {j}" for c, i, j in terms)


@given(TERMS, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=60, derandomize=True)
def test_the_order_of_terms_is_no_difference_and_a_coefficient_is(
    terms: list[tuple[int, int, int]], random, spoil: bool
) -> None:  # type: ignore[no-untyped-def]
    terms = [*terms, (1, 4, 4)]
    slopes = [
        [(c * i, i - 1, j) for c, i, j in terms if i],
        [(c * j, i, j - 1) for c, i, j in terms if j],
    ]
    own = list(terms)
    random.shuffle(own)
    if spoil:
        at = random.randrange(len(own))
        own[at] = (own[at][0] + 1, *own[at][1:])
    by = ", ".join(f"({polynomial(slope)}) * x1" for slope in slopes)
    found = compared(
        f"({polynomial(terms)}) * x1 + x2 * x3",
        f"y = x2 * x3 + x1 * ({polynomial(own)})\nself.w.grad = torch.stack([{by}])\nreturn y",
    )
    assert (found.value, found.gradients) == (not spoil, (True, True))
