"""Attacks that are given up on purpose: each file says what it earns, and why that is left so."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attack_class import ATTACKS, VARIANT
from corpus import Case, _table, load_case, stated, told

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Grade

CASES = [load_case(path) for path in sorted((ATTACKS / "given_up").glob("*.py"))]


@pytest.fixture(scope="module")
def grade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Case], Grade]]:
    bank = tmp_path_factory.mktemp("bank")
    shutil.copy(VARIANT, bank)
    plan = GradingPlan(variant="v902", class_name=None, seed=0, points=256, rtol=5e-5, atol=1e-7,
                       seconds=20.0, memory=400 * 2**20)  # fmt: skip
    grader = Grader(plan, default_rubric(), load_bank(bank), None)
    yield lambda case: grader.grade(case.path, case.path.name)
    grader.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
def test_it_earns_what_it_states(case: Case, grade: Callable[[Case], Grade]) -> None:
    assert told(grade(case)) == stated(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
def test_it_says_why(case: Case) -> None:
    table = _table(Path(ATTACKS / "given_up" / case.path.name))
    assert table["attack"]
    assert table["why"]
