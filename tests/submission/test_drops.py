"""NameHistory that are dropped before their last use, told from the text of a function."""

from __future__ import annotations

import textwrap

import pytest

from pytest_backprop.model import Span, Unit
from pytest_backprop.submission.drops import EarlyDrop, NameHistory


def names(body: str) -> NameHistory:
    """Of a function with this body; the place is what stands between « and »."""
    text = "def f(x):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    before, _, rest = text.partition("«")
    inside, _, after = rest.partition("»")
    start, end = _position(before), _position(before + inside)
    return NameHistory(Unit(before + inside + after), Span(0, *start, *end))


def _position(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text.rpartition("\n")[2].encode())


EARLY = {
    "none": ("a = x * 2\na = None\ny = «a * x»\nreturn y + a", EarlyDrop("a", 3, 5)),
    "del": ("a = x * 2\ndel a\ny = «a»", EarlyDrop("a", 3, 4)),
    "a chain": ("a = b = x\na = b = None\ny = «b * x»", EarlyDrop("b", 3, 4)),
    "a tuple": ("a, b = x, x\na, b = 1, None\ny = «a * b»", EarlyDrop("b", 3, 4)),
    "an attribute": ("self.t = x\nself.t = None\ny = «self.t * x»", EarlyDrop("self.t", 3, 4)),
    "an entry": ("d['k'] = x\ndel d['k']\ny = «d['k'] * x»", EarlyDrop("d['k']", 3, 4)),
    "over itself": ("a = x\na = None\na = «a * x»\ny = a", EarlyDrop("a", 3, 4)),
    "in place": ("a = None\n«a += x»", EarlyDrop("a", 2, 3)),
    "a loop": ("a = x\nfor k in range(2):\n    y = «a * k»\n    a = None", EarlyDrop("a", 5, None)),
    "letters": ("я = x\nя = None\ny = «я * x»", EarlyDrop("я", 3, 4)),
}


@pytest.mark.parametrize("name", EARLY)
def test_a_name_that_is_dropped_and_still_used(name: str) -> None:
    body, wanted = EARLY[name]
    assert names(body).early_drop() == wanted


FINE = {
    "bound again": "a = x\na = None\na = x * 3\ny = «a * x»",
    "dropped after": "a = x\ny = «a * x»\na = None",
    "bound in each round": "for k in range(2):\n    a = x\n    y = «a * k»\n    a = None",
    "of another function": "def g():\n    a = None\na = x\ny = «a * x»",
    "an argument": "y = «x * 2»",
}


@pytest.mark.parametrize("name", FINE)
def test_others_are_not(name: str) -> None:
    assert names(FINE[name]).early_drop() is None


def test_text_that_does_not_parse_has_no_names() -> None:
    assert names("a = (\n«b»").events == []


@pytest.mark.parametrize("site", [(1, 0, 1, 1), (99, 0, 99, 1), (3, 90, 2, -5)])
def test_any_place_may_be_asked(site: tuple[int, int, int, int]) -> None:
    assert NameHistory(Unit("def f():\n    a = None\n"), Span(0, *site)).early_drop() is None
