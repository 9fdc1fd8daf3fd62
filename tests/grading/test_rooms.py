"""The rooms beside the core tell of a grade, and change nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from plugin_samples import VARIANTS, WRONG, lay_out
from warm_zygote import warm_zygote

from pytest_backprop import rooms
from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.judging.case import Case, Located
from pytest_backprop.model import Grade, MethodName


def graded(folder: Path) -> Grade:
    plan = GradingPlan("v1", None, 0, 60, 5e-5, 1e-7, 20.0, 2**31)
    grader = Grader(plan, default_rubric(), load_bank(folder), warm_zygote())
    try:
        return grader.grade(folder / "a.py", "a.py")
    finally:
        grader.close()


def test_a_grade_is_the_same_with_rooms_that_tell_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, {"a.py": WRONG, "v1.py": VARIANTS["v1.py"]})
    asked: list[str] = []

    def locate(case: Case, bank: Sequence[Variant], method: MethodName) -> Located:
        asked.append(method)
        return Located()

    usual = graded(tmp_path)
    monkeypatch.setattr(rooms, "locate", locate)
    monkeypatch.setattr(rooms, "traits", lambda case: ())
    quiet = graded(tmp_path)
    assert asked
    assert usual.traits
    assert quiet.traits == ()
    kinds = [{f.kind for c in g.checks for f in c.result.findings} for g in (usual, quiet)]
    assert kinds[0] - kinds[1] == {"faulty-line"}
    scores = [[(c.result.id, c.result.outcome, c.score) for c in g.checks] for g in (usual, quiet)]
    assert scores[0] == scores[1]
