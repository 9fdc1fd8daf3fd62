"""What is said of a mistake: its kind and the name of its line; never what to write there."""

from __future__ import annotations

import re

import pytest
from test_repair_find import CHAIN, TEXT, VARIANT, chain, sought

from pytest_backprop.exercises.functions.bank import Variant, parse_variant

SMOOTH = parse_variant("def v7():\n  return (w0 * x1).sin() * w1 + x2\n")
HEAD, _, _ = TEXT.partition("        a = w0 * x1\n")
WAVE = (
    HEAD
    + """\
        a = w0 * x1
        s = torch.sin(a)
        y = s * w1 + x2
        da = torch.cos(a) * w1
        self.w.grad = torch.stack([da * x1, s])
        return y
"""
)
SQUARE = parse_variant("def v8():\n  return (w0 * x1) ** 2 * x2 + w1 * w0\n")
SQUARED = (
    HEAD
    + """\
        a = w0 * x1
        y = a ** 2 * x2 + w1 * w0
        dw0 = w1
        dw0 = dw0 + 2 * a * x1 * x2
        self.w.grad = torch.stack([dw0, w0])
        return y
"""
)
MISTAKES = {
    "a factor is missing": (TEXT.replace("dw0 = dr1 * x1", "dw0 = dr1"), "dw0", "factor"),
    "a number is missing": (chain(dw1="g5 * w1 ** 2"), "dw1", "factor"),
    "a square is missing": (TEXT.replace("c ** 2", "c"), "dc", "operand"),
    "a path through a value": (TEXT.replace("1 / c + dc", "1 / c"), "dr1", "term"),
    "an operator": (TEXT.replace("dr1 * x1", "dr1 / x1"), "dw0", "operator"),
    "an operand": (TEXT.replace("dr1 * x1", "dr1 * x2"), "dw0", "operand"),
    "a power for a square": (TEXT.replace("w1 ** 2", "w1 ** 4"), "dw1", "exponent"),
    "an exponent": (TEXT.replace("b = w1 ** 3", "b = w1 ** 2"), "b", "exponent"),
    "the order": (TEXT.replace("a - b", "b - a"), "r1", "order"),
    "a fraction upside down": (TEXT.replace("1 / c +", "c +"), "dr1", "operand"),
    "a term too many": (TEXT.replace("dr1 * x1", "dr1 * x1 + x2"), "dw0", "extra"),
    "a factor too many": (TEXT.replace("dr1 * x1", "dr1 * x1 * x2"), "dw0", "extra"),
    "a function": (WAVE.replace("torch.cos(a)", "torch.sin(a)"), "da", "function"),
    "a term in a factor": (
        SQUARED.replace("2 * a * x1 * x2", "(2 * a + w1) * x1 * x2"),
        "dw0",
        "extra",
    ),
    "the last factor is missing": (
        SQUARED.replace("2 * a * x1 * x2", "2 * a * x1"),
        "dw0",
        "factor",
    ),
}
VARIANTS = {"t4": CHAIN, "sin(a)": SMOOTH, "w1 * w0": SQUARE}


def variant_of(text: str) -> Variant:
    return next((variant for part, variant in VARIANTS.items() if part in text), VARIANT)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_and_its_mending_is_kept_back(mistake: str) -> None:
    text, name, kind = MISTAKES[mistake]
    lines = sought(text, variant=variant_of(text)).lines
    assert (name, kind) in [(line.name, line.kind) for line in lines]
    for line in lines:
        assert f"`{name}`" in line.message or line.name != name
        assert not re.search(r"write|instead of `|[*/+] |\*\*", f"{line.message} {line.hint}")


def test_two_lines_that_have_each_others_value_are_one_mistake() -> None:
    text = TEXT.replace("dw0 = dr1 * x1", "dw0 = db * 3 * w1 ** 2").replace(
        "dw1 = db * 3 * w1 ** 2\n        self", "dw1 = dr1 * x1\n        self"
    )
    (line,) = sought(text).lines
    assert line.message == "`dw1` and `dw0` stand in each other's place"


READ = "w0, w1 = self.w\n        a"
TYPED_IN = {
    "both": (READ, "w0, w1 = 0.35, 0.83\n        a"),
    "halves, of which a plain 2 is no part": (READ, "w0, w1 = 0.5, 0.8\n        a"),
    "the same number twice": (READ, "w0, w1 = 0.5, 0.5\n        a"),
    "tensors": (READ, "w0 = torch.tensor(0.35)\n        w1 = torch.tensor(0.8)\n        a"),
}
"""In the pass, what is typed in for what."""


@pytest.mark.parametrize(("right", "typed"), TYPED_IN.values(), ids=TYPED_IN)
def test_numbers_typed_in_for_weights_are_told_together(right: str, typed: str) -> None:
    head, name, body = TEXT.partition("    def my_forward_backward")
    text = head + name + body.replace(right, typed)
    lines = sought(text).lines
    assert {line.kind for line in lines} == {"typed-in"}
