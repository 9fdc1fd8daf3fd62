"""Containers for a class: they behave as a list and a dict of the same values, and take less room."""

from __future__ import annotations

import copy
import math
import random
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_backprop.model.compressed import WINDOW, CompressedDict, CompressedList


class Told(msgspec.Struct, frozen=True):
    """Something with a field that may hold anything."""

    text: str
    details: Any = None


# what JSON keeps, what it would change, what it cannot say; long enough to fill the window
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=5,
)
values = st.builds(
    Told, st.text(max_size=5) | st.integers(0, 9).map(lambda n: str(n) * (WINDOW // 3)), anything
)
odd = [
    Told("\ud800"),
    Told("bytes", b"\xff"),
    Told("tuple", (1, 2)),
    Told("infinite", math.inf),
    Told("large", 10**40),
    Told("keys", {1: 2}),
]


@given(st.lists(values | st.sampled_from(odd), max_size=12), st.randoms())
def test_a_list(told: list[Told], chance: random.Random) -> None:
    held = CompressedList[Told](Told, told)
    assert list(held) == told
    assert [held[place] for place in range(-len(told), 0)] == told
    assert held[1:3] == told[1:3]
    assert copy.deepcopy(held) == told
    order = list(range(len(told)))
    chance.shuffle(order)
    held.arrange(order)
    assert list(held) == [told[place] for place in order]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | values), max_size=12))
def test_a_dict(steps: list[tuple[str, Told | None]]) -> None:
    held, told = CompressedDict[Told](Told), dict[str, Told]()
    for name, value in steps:
        if value is None:
            assert held.pop(name, None) == told.pop(name, None)
        else:
            held[name] = told[name] = value
        assert list(held.items()) == list(told.items())
        assert all(held.get(name) == told.get(name) for name in "abcd")
        assert len(held) == len(told)


@pytest.mark.parametrize("value", odd, ids=lambda value: ascii(value.text))
def test_what_json_would_change_comes_out_as_it_went_in(value: Told) -> None:
    held = CompressedDict[Told](Told)
    held["it"] = value
    held["another"] = Told("")  # else it is still at hand
    assert held["it"] == value
    assert type(held["it"].details) is type(value.details)


def test_what_values_share_is_held_once() -> None:
    shared = random.Random(0).randbytes(4_500).hex()  # by itself it takes 4,500 bytes at least
    held = CompressedList[Told](Told, (Told(f"{shared}{n}") for n in range(100)))
    assert held[99] == Told(f"{shared}99")
    assert max(sys.getsizeof(each) for each in held._held[10:]) < 200
