"""Tasks of the exercise `intermediate-gradients`, its answer keys and templates."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner
from intermediate_oracle import FOLDER, TASKS
from warm_zygote import warm_zygote

from pytest_backprop.cli import main
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import INTERMEDIATE_GRADIENTS
from pytest_backprop.exercises.functions.scenarios import generic_points, points
from pytest_backprop.exercises.intermediate_gradients import AFTER_ANOTHER
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

HEAD = 'def v1(x: Float[Tensor, "n"], *, w: Float[Tensor, "n"]):\n'
BODY = "    h = x * w\n    return h.sum() ** 2"


def written(folder: Path, text: str) -> Path:
    text = f'EXERCISE = "intermediate-gradients"\n{text}\n'
    (folder / "v1.py").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + BODY, r"GRADIENTS = \(\) has no names"),
        ('GRADIENTS = ("w",)\n' + HEAD + BODY, "does not assign w once"),
        ('GRADIENTS = ("z",)\n' + HEAD + BODY, "does not assign z once"),
        ('GRADIENTS = ("h",)\n' + HEAD + "    h = w\n    h = h * x\n    return h.sum()",
         "does not assign h once"),
        ('GRADIENTS = ("h",)\n' + HEAD + "    h = x * x\n    return (h * w).sum()",
         "h of v1 has no gradient"),
        ('GRADIENTS = ("h",)\n' + HEAD + "    h = x * w\n    return h ** 2", "does not return one number"),
    ],
)  # fmt: skip
def test_a_task_that_cannot_be_set(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=told):
        INTERMEDIATE_GRADIENTS.load_bank(written(tmp_path, text)).get("v1")


def test_probes_are_zeros_and_nothing_else_is() -> None:
    task = INTERMEDIATE_GRADIENTS.load_bank(FOLDER / "bank").get("v963")
    assert {name.partition("[")[0] for name in task.weights} == {"prediction", "residual"}
    for drawn in (points(task, 0, 50), generic_points(task, 0, 50)):
        assert not any(any(row[: len(task.weights)]) for row in drawn.rows)
        assert all(any(row[len(task.weights) :]) for row in drawn.rows)
    given = {leaf.name: leaf.requires_grad for leaf in task.leaves if not leaf.probe}
    assert given == {"x": False, "y": False, "w": True, "b": True}


@pytest.mark.parametrize("name", sorted(TASKS))
def test_what_is_right_is_what_retain_grad_keeps(name: str) -> None:
    task = INTERMEDIATE_GRADIENTS.load_bank(FOLDER / "bank").get(name)
    labels = []
    for reference in INTERMEDIATE_GRADIENTS.references(task):
        labels.append((reference.where, reference.scenario.variation))
        row = iter(reference.scenario.points[0][len(task.weights) :])
        given = {}
        for leaf in task.leaves:
            if leaf.integers is not None:
                given[leaf.name] = torch.tensor(leaf.integers).reshape(leaf.shape)
            elif not leaf.probe:
                numbers = [next(row) for _ in leaf.elements]
                given[leaf.name] = torch.tensor(numbers).reshape(leaf.shape)
                given[leaf.name].requires_grad_(leaf.requires_grad)
        local = TASKS[name].function(**given)
        for asked in reference.asked:
            numbers = reference.outputs[f"grad.{asked}"].data
            right = local[asked].grad.flatten()
            assert torch.allclose(torch.tensor(numbers), right, rtol=1e-4, atol=1e-6)
    assert labels == [
        ("on other inputs", ""),
        ("after a call with other tensors", AFTER_ANOTHER),
        ("on float64 inputs", ""),
    ]


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_answer_key_gets_full_marks(name: str, tmp_path: Path) -> None:
    bank = str(FOLDER / "bank")
    path = tmp_path / f"key_{name}.py"
    done = CliRunner().invoke(
        main, ["solve", name, "--explain", "--variants", bank, "--out", str(path)]
    )
    assert done.exit_code == 0, done.output
    exercise = INTERMEDIATE_GRADIENTS
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 30.0, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    bank_read = exercise.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank_read, warm_zygote())) as grader:
        grade = grader.grade(path, path.name)
    assert (grade.status, grade.score, grade.max_score) == ("graded", 100.0, 100.0)


VALUES = """GRADIENTS = ("h",)
VALUES = {"mean": (False, True)}
def v1(x: Float[Tensor, "n d"], mean: bool, *, w: Float[Tensor, "d m"]):
    h = x @ w
    return (h * h).sum() / (len(x) if mean else 1)
"""
BY_RETAIN_GRAD = """
def gradients(x, mean, w):
    h = x @ w
    h.retain_grad()
    loss = (h * h).sum() / (len(x) if mean else 1)
    if WRONG:
        loss = loss * 3
    loss.backward()
    return {"h": h.grad}
"""


@pytest.mark.parametrize("wrong", ["", "mean", "not mean"])
@pytest.mark.parametrize("rest", [0, 1])
def test_each_plain_value_is_tried_at_odd_and_at_even_sizes(
    wrong: str, rest: int, tmp_path: Path
) -> None:
    exercise, bank = INTERMEDIATE_GRADIENTS, written(tmp_path, VALUES)
    path = tmp_path / "anna_v1_.py"
    at = f"{wrong} and len(x) % 2 == {rest}" if wrong else "False"
    path.write_text(BY_RETAIN_GRAD.replace("WRONG", at), encoding="utf-8")
    plan = GradingPlan("v1", None, 0, 1024, 5e-5, 1e-7, 30.0, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, exercise.load_bank(bank), warm_zygote())) as it:
        grade = it.grade(path, path.name)
    gradient = grade.checks[0].result
    assert gradient.outcome == ("failed" if wrong else "passed"), gradient
    assert all(f"mean={wrong == 'mean'}" in where for where in gradient.details["failed_at"])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_template_runs_once_the_function_is_written(language: str, tmp_path: Path) -> None:
    path = tmp_path / "v961.ipynb"
    arguments = ["--variants", str(FOLDER / "bank"), "--lang", language]
    done = CliRunner().invoke(main, ["template", "v961", "--out", str(path), *arguments])
    assert done.exit_code == 0, done.output
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    codes = [t for cell, t in zip(cells, texts, strict=True) if cell["cell_type"] == "code"][:-1]
    space: dict[str, object] = {}
    before = next(at for at, text in enumerate(codes) if "NotImplementedError" in text) + 1
    for text in codes[:before]:
        exec(text, space)
    with pytest.raises(NotImplementedError):
        exec(codes[before], space)
    key = CliRunner().invoke(main, ["solve", "v961", *arguments]).output
    for text in [key if "NotImplementedError" in text else text for text in codes]:
        exec(text, space)
    assert "`hidden`" in texts[0]
    assert "`logits`" in texts[0]
