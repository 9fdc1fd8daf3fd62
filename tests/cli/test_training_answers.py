"""Answer keys and templates of `accumulation`: graded for real, as a student's are."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from accumulation_oracle import FOLDER
from click.testing import CliRunner
from warm_zygote import warm_zygote

from pytest_backprop.cli import main
from pytest_backprop.exercises import ACCUMULATION
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop_authoring import trainings
from pytest_backprop_authoring.notebooks import answer_notebook, answer_text, template_notebook

BANK = ACCUMULATION.load_bank(FOLDER / "bank")
SOME = [pytest.param(n, marks=() if n == "v962" else pytest.mark.long) for n in BANK.names]


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 60.0, 2**31, exercise=ACCUMULATION)
    rubric = rubric_of(ACCUMULATION.name, ACCUMULATION.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, BANK, warm_zygote())) as made:
        yield made


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("explain", [False, True], ids=["key", "explained"])
def test_the_key_earns_full_marks(name: str, explain: bool, grader: Grader, tmp_path: Path) -> None:
    variant = BANK.get(name)
    path = tmp_path / (f"key_{name}.ipynb" if explain else f"key_{name}.py")
    write = answer_notebook if explain else answer_text
    text = write(trainings, variant, explain)
    path.write_text(text, encoding="utf-8")
    grade = grader.grade(path, path.name)
    assert (grade.score, grade.max_score) == (100, 100), grade
    assert ("#" in trainings.class_text(variant, explain)) == explain


@pytest.mark.parametrize("name", SOME)
def test_the_template_with_the_key_in_it(name: str, grader: Grader, tmp_path: Path) -> None:
    variant = BANK.get(name)
    text = template_notebook(trainings, variant, f"{name}.ipynb", known=False)
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    (skeleton,) = [
        c for c in notebook.cells if trainings.SIGNATURE in c.source and c.cell_type == "code"
    ]
    path = tmp_path / f"{name}.ipynb"
    path.write_text(text, encoding="utf-8")
    assert grader.grade(path, path.name).score == 0
    skeleton.source = trainings.class_text(variant)
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    assert grader.grade(path, path.name).score == 100
    cells = [c.source for c in notebook.cells if c.cell_type == "code"]
    told = io.StringIO()
    space: dict[str, object] = {}
    with contextlib.redirect_stdout(told):
        for cell in cells[:3]:
            exec(cell, space)
    assert "parameters:" in told.getvalue()
    assert "False" not in told.getvalue()


def test_the_command_writes_the_key(tmp_path: Path) -> None:
    key = tmp_path / "key.py"
    run = CliRunner().invoke(
        main, ["solve", "v961", "--variants", str(FOLDER / "bank"), "--out", str(key)]
    )
    assert run.exit_code == 0, run.output
    assert trainings.SIGNATURE in key.read_text(encoding="utf-8")
