"""Points: the regimes' promises, determinism, prefixes, float32 values, and speed."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.exercises.functions.bank import Variant, load_bank, parse_variant
from pytest_backprop.exercises.functions.scenarios import (
    REGIMES,
    SIMPLE,
    Points,
    generic_points,
    points,
)

ROOT = Path(__file__).resolve().parents[2]
V8 = load_bank(ROOT / "variants").get("v8")
Make = Callable[[Variant, int, int], Points]
BOTH = pytest.mark.parametrize("make", [points, generic_points])


def wide(weights: int, inputs: int) -> Variant:
    names = [f"w{i}" for i in range(weights)] + [f"x{i}" for i in range(inputs)]
    body = "".join(f"  r = r + {name}\n" for name in names)
    return parse_variant(f"def v7():\n  r = 0\n{body}  return r\n")


def values(made: Points, regime: str) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    return [
        (row[:2], row[2:]) for row, r in zip(made.rows, made.regimes, strict=True) if r == regime
    ]


def magnitudes(regime: str) -> list[float]:
    return [abs(v) for w, x in values(points(V8, 3, 6_000), regime) for v in w + x]


def test_the_shapes_and_the_turns() -> None:
    made = points(V8, 0, 20)
    assert len(made) == len(made.rows) == 20
    assert all(len(row) == 5 for row in made.rows)
    assert made.regimes == (REGIMES * 4)[:20]
    assert made.regimes[0] == "assignment"
    assert generic_points(V8, 0, 5).regimes == (("assignment", "signed") * 3)[:5]


@BOTH
@settings(max_examples=60)
@given(
    seed=st.integers(-(2**40), 2**70),
    few=st.integers(0, 40),
    more=st.integers(0, 40),
    weights=st.integers(1, 9),
    inputs=st.integers(1, 9),
)
def test_fewer_points_are_a_prefix_of_more(
    make: Make, seed: int, few: int, more: int, weights: int, inputs: int
) -> None:
    variant = wide(weights, inputs)
    short, long = make(variant, seed, few), make(variant, seed, few + more)
    assert short.rows == long.rows[:few]
    assert short.regimes == long.regimes[:few]


@BOTH
def test_the_seed_and_the_name_decide(make: Make) -> None:
    other = parse_variant(V8.source.replace("v8", "v9"))
    assert make(V8, 1, 12) == make(V8, 1, 12)
    assert make(V8, 1, 12) != make(V8, 2, 12)
    assert make(V8, 1, 12) != make(other, 1, 12)


@BOTH
def test_another_process_makes_the_same_points(make: Make) -> None:
    code = (
        f"from pathlib import Path; from pytest_backprop.exercises.functions.scenarios import {make.__name__} as make;"
        "from pytest_backprop.exercises.functions.bank import load_bank;"
        "print(make(load_bank(Path('variants')).get('v8'), 5, 12))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert done.stdout.decode().strip() == repr(make(V8, 5, 12))


@BOTH
def test_every_value_is_a_float32_number(make: Make) -> None:
    made = make(V8, 0, 3_000)
    for value in [v for point in made.rows for v in point]:
        assert struct.unpack("f", struct.pack("f", value)) == (value,)


@BOTH
def test_the_users_random_state_is_left_alone(make: Make) -> None:
    before = random.getstate()
    make(V8, 0, 10)
    assert random.getstate() == before


@BOTH
def test_no_points(make: Make) -> None:
    assert make(V8, 0, 0) == Points((), ())


@BOTH
@pytest.mark.parametrize(("weights", "inputs"), [(1, 1), (1, 5), (40, 3), (3, 60)])
def test_any_number_of_weights_and_inputs(make: Make, weights: int, inputs: int) -> None:
    made = make(wide(weights, inputs), 0, 13)
    assert {len(row) for row in made.rows} == {weights + inputs}


# -- the regimes --------------------------------------------------------------------------------


def test_assignment_is_the_course_tests_own_range() -> None:
    made = values(points(V8, 1, 6_000), "assignment")
    weights = [v for w, _ in made for v in w]
    inputs = [v for _, x in made for v in x]
    assert 0.05 < min(weights) < 0.06
    assert 0.99 < max(weights) < 1
    assert 0 <= min(inputs) < 0.01
    assert 0.99 < max(inputs) < 1
    assert sum(weights) / len(weights) == pytest.approx(0.525, abs=0.03)
    assert sum(inputs) / len(inputs) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("regime", "low", "high"), [("signed", 0.05, 2.0), ("small", 0.01, 0.1), ("large", 2.0, 20.0)]
)
def test_the_magnitudes_fill_their_range(regime: str, low: float, high: float) -> None:
    found = magnitudes(regime)
    spread = high - low
    assert low <= min(found) < low + 0.01 * spread
    assert high - 0.01 * spread < max(found) <= high


@pytest.mark.parametrize("regime", ["signed", "small", "large", "near-equal", "simple"])
def test_both_signs_occur_in_weights_and_in_inputs(regime: str) -> None:
    made = values(points(V8, 1, 1_200), regime)
    assert {v > 0 for w, _ in made for v in w} == {True, False}
    assert {v > 0 for _, x in made for v in x} == {True, False}


def test_near_equal_pairs_are_near_and_not_too_near() -> None:
    pairs: set[tuple[int, int]] = set()
    for w, x in values(points(V8, 2, 6_000), "near-equal"):
        near = {
            (i, j): abs(a - b) / max(abs(a), abs(b))
            for (i, a), (j, b) in combinations(enumerate(w + x), 2)
            if abs(a - b) <= 1e-2 * max(abs(a), abs(b))
        }
        assert len(near) >= 2  # five variables make two pairs
        assert sum(gap > 1.9e-3 for gap in near.values()) >= 2
        pairs |= near.keys()
    assert pairs == set(combinations(range(5), 2))


def test_simple_points_can_be_put_in_by_hand() -> None:
    for w, x in values(points(V8, 2, 3_000), "simple"):
        assert set(w + x) <= set(SIMPLE)
        assert len(set(w + x)) == 5
    assert all(v and (2 * v).is_integer() and abs(v) <= 5 for v in SIMPLE)


def test_generic_points_hold_nothing_simple_and_nothing_equal() -> None:
    made = generic_points(V8, 4, 4_000)
    for row, regime in zip(made.rows, made.regimes, strict=True):
        w, x = row[:2], row[2:]
        found = sorted(abs(v) for v in w + x)
        assert all(b - a > 0.01 for a, b in pairwise(found))
        # An odd multiple of the grid: no power of two times anything shorter.
        assert all((abs(v) * 2.0**23 * (2 if regime == "assignment" else 1)) % 2 == 1 for v in w)
        assert found[0] >= 0.05
        assert found[-1] < (1 if regime == "assignment" else 2)
        assert regime == "signed" or min(w + x) > 0
