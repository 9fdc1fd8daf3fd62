"""What a mistake is called, and that what is to be written makes the pass right."""

from __future__ import annotations

import re

import pytest
from test_repair_find import CHAIN, TEXT, VARIANT, chain, sought

from pytest_backprop.exercises.functions.bank import Variant, parse_variant
from pytest_backprop.model import Span
from pytest_backprop.repair import Replacement, replaced

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
SAID = [
    (TEXT.replace("dw0 = dr1 * x1", "dw0 = dr1"), "`x1` is missing as a factor"),
    (chain(dw1="g5 * w1 ** 2"), "`3` is missing as a factor"),
    (TEXT.replace("c ** 2", "c"), "a square is missing: `c` counts twice"),
    (TEXT.replace("1 / c + dc", "1 / c"), "the path from `r1` through `c` to `y` is missing"),
    (TEXT.replace("1 / c + dc", "dc").replace("-r1 / c ** 2", "-(r1 / c) / c"),
     "the path from `r1` straight to `y` is missing"),
    (TEXT.replace("dr1 * x1", "dr1 / x1"), "the operator should be `*`, not `/`"),
    (TEXT.replace("dr1 * x1", "dr1 * x2"), "`x1` belongs in the place of `x2`"),
    (TEXT.replace("w1 ** 2", "w1 ** 4"), "a square belongs here, not the power 4"),
    (TEXT.replace("b = w1 ** 3", "b = w1 ** 2"), "the exponent should be 3, not 2"),
    (TEXT.replace("a - b", "b - a"), "the operands are the wrong way round"),
    (TEXT.replace("1 / c +", "c +"), "the fraction is upside down"),
    (TEXT.replace("dr1 * x1", "dr1 * x1 + x2"), "the term `x2` does not belong here"),
    (TEXT.replace("dr1 * x1", "dr1 * x1 * x2"), "the factor `x2` does not belong here"),
    (WAVE.replace("torch.cos(a)", "torch.sin(a)"), "the function should be `cos`, not `sin`"),
    # of a sum, too: `dw0 + g` and `g` once more is no term that is missing
    (SQUARED.replace("2 * a", "a"), "`2` is missing as a factor"),
    (SQUARED.replace("+ 2 * a", "- a").replace("dw0 = w1", "dw0 = -w1").replace("[dw0", "[-dw0"),
     "`2` is missing as a factor"),
    # not that the older name of `e` belongs in the place of `3 * e`
    (SQUARED.replace("dw0 = dw0 + 2 * a", "e = a\n        dw0 = dw0 + 2 * (3 * e)"),
     "the factor `3` does not belong here"),
    (SQUARED.replace("2 * a * x1 * x2", "(2 * a + w1) * x1 * x2"),
     "the term `w1` does not belong here"),
    (SQUARED.replace("2 * a * x1 * x2", "2 * a * x1"), "`x2` is missing as a factor"),
]  # fmt: skip
VARIANTS = {"t4": CHAIN, "sin(a)": SMOOTH, "w1 * w0": SQUARE}


def variant_of(text: str) -> Variant:
    return next((variant for part, variant in VARIANTS.items() if part in text), VARIANT)


@pytest.mark.parametrize(
    ("text", "said"), SAID, ids=[f"{n} {said}" for n, (_, said) in enumerate(SAID)]
)
def test_a_mistake_is_called_by_its_name_and_what_is_written_mends_it(text: str, said: str) -> None:
    variant = variant_of(text)
    first = next(line for line in sought(text, variant=variant).lines if line.mistake == said)
    (mended,) = replaced([text], first.fixes[0].replacements)
    assert mended != text
    assert sought(mended, variant=variant).reason == "every output is right over the field"


@pytest.mark.parametrize(
    ("drop", "left"),
    [("dc = None", ""), ("del dc", ""), ("dc = b = None", "b = None"), ("del b, dc", "del b")],
)
def test_a_name_that_is_dropped_by_then_is_dropped_later(drop: str, left: str) -> None:
    text = TEXT.replace("dr1 = 1 / c + dc", f"{drop}\n        dr1 = 1 / c")
    (line,) = sought(text).lines
    assert line.fix == "write `1 / c + dc` instead of `1 / c`, and drop `dc` only after that"
    (mended,) = replaced([text], line.fixes[0].replacements)
    again = "del dc" if drop.startswith("del") else "dc = None"
    first = f"        {left}\n" if left else ""
    assert f"{first}        dr1 = 1 / c + dc\n        {again}\n        db" in mended
    assert sought(mended).reason


def test_what_would_bind_otherwise_is_put_in_parentheses() -> None:
    text = TEXT.replace("        dr1 = 1 / c + dc\n", "").replace("db = -dr1", "db = -(1 / c + dc)")
    first = sought(text.replace("dr1 * x1", "dc * (1 / c) * x1")).lines[0]
    assert first.fix == "write `(dc + 1 / c)` instead of `dc * (1 / c)`"


def test_two_lines_that_have_each_others_value_are_one_mistake() -> None:
    text = TEXT.replace("dw0 = dr1 * x1", "dw0 = db * 3 * w1 ** 2").replace(
        "dw1 = db * 3 * w1 ** 2\n        self", "dw1 = dr1 * x1\n        self"
    )
    (line,) = sought(text).lines
    assert line.message == "`dw1` and `dw0` stand in each other's place"
    (mended,) = replaced([text], line.fixes[0].replacements)
    assert sought(mended).reason


def test_replacements_count_bytes_and_keep_what_stands_around_them() -> None:
    units = ["ж = 1; b = 2  # ж\n", "c = 3"]
    wide, first, last = (
        Replacement(Span(0, 1, 8, 1, 13), "b = 22"),
        Replacement(Span(0, 1, 0, 1, 2), "жж"),
        Replacement(Span(1, 1, 5, 1, 5), "\nd = 4"),
    )
    assert replaced(units, [wide, last, first]) == ["жж = 1; b = 22  # ж\n", "c = 3\nd = 4"]


READ = "w0, w1 = self.w\n        a"
TYPED_IN = {
    "both": (READ, "w0, w1 = 0.35, 0.83\n        a"),
    "halves, of which a plain 2 is no part": (READ, "w0, w1 = 0.5, 0.8\n        a"),
    "the same number twice": (READ, "w0, w1 = 0.5, 0.5\n        a"),
    "tensors": (READ, "w0 = torch.tensor(0.35)\n        w1 = torch.tensor(0.8)\n        a"),
    "one, wherever it stands": ("w1 **", "0.83 **"),
    "both, without names": (r"w([01]) \*", r"0.\g<1>7 *"),
}
"""In the pass, what is typed in for what."""


@pytest.mark.parametrize(("right", "typed"), TYPED_IN.values(), ids=TYPED_IN)
def test_numbers_typed_in_for_weights_are_told_together(right: str, typed: str) -> None:
    head, name, body = TEXT.partition("    def my_forward_backward")
    pattern = right if "\\" in right else re.escape(right)
    text = head + name + re.sub(pattern, typed, body)
    lines = sought(text).lines
    assert {line.kind for line in lines} == {"typed-in"}
    mended = [
        replaced([text], [part for fix in fixes for part in fix.replacements])[0]
        for fixes in zip(*(line.fixes for line in lines), strict=True)
    ]
    assert any(sought(one).reason == "every output is right over the field" for one in mended)
