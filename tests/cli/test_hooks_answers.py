"""Answer keys and templates of `saved-tensor-hooks`: graded for real, as a student's are."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from warm_zygote import warm_zygote

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import SAVED_TENSOR_HOOKS
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade
from pytest_backprop_authoring.notebooks import (
    answer_notebook,
    answer_text,
    author_of,
    template_notebook,
)

FOLDER = Path(__file__).parent.parent / "submissions_hooks" / "bank"
BANK = SAVED_TENSOR_HOOKS.load_bank(FOLDER)
AUTHOR = author_of("saved-tensor-hooks")


def graded(path: Path) -> Grade:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, 60, 2**31, exercise=SAVED_TENSOR_HOOKS)
    rubric = rubric_of("default", SAVED_TENSOR_HOOKS.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, BANK, warm_zygote())) as grader:
        return grader.grade(path, path.name)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "v963" else pytest.mark.long) for n in BANK]
)
def test_the_answer_key_earns_every_point(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"key_{name}.py"
    path.write_text(answer_text(AUTHOR, BANK.get(name)), encoding="utf-8")
    grade = graded(path)
    assert (grade.score, grade.max_score) == (100, 100)


@pytest.mark.long
def test_as_a_notebook_too(tmp_path: Path) -> None:
    path = tmp_path / "key_v962.ipynb"
    path.write_text(answer_notebook(AUTHOR, BANK.get("v962")), encoding="utf-8")
    assert graded(path).score == 100


def test_the_template_is_a_submission_without_points_but_for_what_it_leaves_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "template_v962.ipynb"
    path.write_text(template_notebook(AUTHOR, BANK.get("v962"), path.name, True), encoding="utf-8")
    grade = graded(path)
    assert (grade.status, grade.score) == ("graded", 0)
    first = grade.checks[0].result.findings[0]
    assert "is not written yet" in first.message
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    assert any("SAVE_ON_DISK_THRESHOLD = 1000" in cell for cell in cells)


@pytest.mark.parametrize("written", ["'many'", "True", "10", "10**9"])
def test_a_threshold_that_is_none_is_refused(written: str, tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(
        f'EXERCISE = "saved-tensor-hooks"\nTHRESHOLD = {written}\n\n\n'
        'def v1(x: Float[Tensor, "n"]):\n    return x * x\n'
    )
    if written == "10**9":  # is no plain value, so the usual one holds
        assert SAVED_TENSOR_HOOKS.load_bank(tmp_path).get("v1").task.threshold == 1000  # type: ignore[attr-defined]
        return
    with pytest.raises(UsageProblem, match="THRESHOLD"):
        SAVED_TENSOR_HOOKS.load_bank(tmp_path).get("v1")


def test_a_task_that_saves_no_tensor_at_the_threshold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(
        'EXERCISE = "saved-tensor-hooks"\nTHRESHOLD = 1000\n\n\n'
        'def v1(x: Float[Tensor, "n"]):\n    return x + 1\n'
    )
    with pytest.raises(UsageProblem, match="at no sizes"):
        SAVED_TENSOR_HOOKS.references(SAVED_TENSOR_HOOKS.load_bank(tmp_path).get("v1"))


@pytest.mark.parametrize("name", ["v961", "v962"])
def test_the_runs_of_a_task_are_at_the_threshold_and_beside_it(name: str) -> None:
    runs = {run.label: run for run in SAVED_TENSOR_HOOKS.references(BANK.get(name))}
    most = {label: max(run.saves, default=0) for label, run in runs.items()}
    assert most["at the threshold"] == 1000
    assert most["below the threshold"] == 0  # what is smaller is no matter of the hooks
    assert most["above the threshold"] == most["three graphs"] == 1001
    assert not runs["below the threshold"].large
    assert len(runs["three graphs"].large) == 3 * len(runs["above the threshold"].large)
