"""Tasks of the exercise `tape`, and what is loaded of a notebook."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from corpus_text import graded_file
from tape_oracle import FOLDER
from warm_zygote import warm_zygote

from pytest_backprop.errors import SubmissionProblem, UsageProblem
from pytest_backprop.exercises import TAPE
from pytest_backprop.exercises.functions.scenarios import generic_points, points
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Unit
from pytest_backprop.submission import slice_names

NAMES = ("grad", "reset_tape", "Variable")


def written(folder: Path, text: str) -> Path:
    (folder / "v1.py").write_text(f'EXERCISE = "tape"\n{text}\n', encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('def v1(a: Float[Tensor, "n"]):\n    return torch.exp(a)', "torch takes tensors"),
        ('OPERATOR = 3\ndef v1(a: Float[Tensor, "n"]):\n    return a * a', "OPERATOR = 3"),
        ('BELOW = {"i": 2}\ndef v1(a: Float[Tensor, "n"], i: Int[Tensor, "n"]):\n    return a * i',
         "integers"),
        ('def v1(a: Float[Tensor, "n"]):\n    t = a + a\n    return a * a', "t is computed and never used"),
        ("def v1(a: float):\n    return a * a", "no parameter is a float tensor"),
    ],
)  # fmt: skip
def test_a_task_that_cannot_be_set(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=told):
        TAPE.load_bank(written(tmp_path, text)).get("v1")


def test_the_child_gets_the_text_without_types_or_the_name(tmp_path: Path) -> None:
    text = 'def v1(a: Float[Tensor, "n"]):\n    return a * a'
    assert TAPE.load_bank(written(tmp_path, text)).get("v1").expression == (
        "def v1(a):\n    return a * a"
    )
    named = TAPE.load_bank(written(tmp_path, f'OPERATOR = "square"\n{text}')).get("v1")
    assert named.expression == "square"


def test_second_derivatives_are_asked_for_where_they_can_be_told(tmp_path: Path) -> None:
    """tanh has none to speak of where the usual point of this task is: any was paid for."""
    text = (
        'ORDER = 2\ndef v61(a: Float[Tensor, "n"], b: Float[Tensor, "n"], c: Float[Tensor, "n"]):\n'
        "    t0 = b * a.square()\n    return (3 * t0.tanh()).mean()"
    )
    (tmp_path / "v61.py").write_text(f'EXERCISE = "tape"\n{text}\n', encoding="utf-8")
    runs = TAPE.references(TAPE.load_bank(tmp_path).get("v61"))
    assert [run.scenario.variation for run in runs] == ["", "unrelated", "again"]
    assert runs[0].has_second


def test_a_task_whose_second_derivatives_cannot_be_told_is_refused(tmp_path: Path) -> None:
    text = (
        'ORDER = 2\ndef v1(a: Float[Tensor, "n"]):\n    return (a * a * 9e7 - a * a * 8.9e7).sin()'
    )
    bank = TAPE.load_bank(written(tmp_path, text))
    with pytest.raises(UsageProblem, match="v1 cannot be judged: in float32 its second"):
        TAPE.references(bank.get("v1"))


def test_positive_numbers_are_positive_everywhere() -> None:
    task = TAPE.load_bank(FOLDER / "bank").get("v944")
    at = [place for place, name in enumerate(task.weights) if name.startswith("y")]
    for drawn in (points(task, 0, 50), generic_points(task, 0, 50)):
        assert all(row[place] > 0 for row in drawn.rows for place in at)
        assert any(number < 0 for row in drawn.rows for number in row)
    assert all(each.scenario.points[0][place] > 0 for each in TAPE.references(task) for place in at)


def test_what_is_loaded_is_what_is_needed() -> None:
    cells = (
        "import torch\nimport matplotlib.pyplot as plt",
        "class Variable:\n    pass",
        "def helper(x: Variable):\n    return x",
        "gradient_tape = []\ndef reset_tape():\n    gradient_tape.clear()",
        "def grad(L, wanted):\n    return [helper(x) for x in gradient_tape]",
        "x = grad(Variable(), [])\nprint(x)\nplt.show()",
        "class Variable:\n    def __init__(self, value):\n        self.value = value",
        "Variable.exp = lambda self: self\nVariable.show()",
    )
    found = slice_names(tuple(Unit(c, n, c) for n, c in enumerate(cells, 1)), "Variable", NAMES)
    assert [statement.unit for statement in found.statements] == [1, 2, 3, 3, 4, 6, 7]
    assert found.statements[found.class_position].unit == 6
    assert (found.manual_pass.unit, found.forward.unit) == (4, 6)


@pytest.mark.parametrize(
    ("text", "kind", "way_out"),
    [
        ("def grad(): pass\ndef reset_tape(): pass\nclass Var: pass", "no-class", "rename `Var`"),
        (
            "class Variable: pass\ndef gradient(): pass",
            "no-function",
            "rename `gradient` to `grad`",
        ),
        ("class Variable: pass\ndef grad(): pass", "no-function", "define reset_tape"),
        ("Variable = 3", "no-class", "define Variable"),
    ],
)
def test_what_is_missing_is_told(text: str, kind: str, way_out: str) -> None:
    with pytest.raises(SubmissionProblem) as raised:
        slice_names((Unit(text, None, text),), "Variable", NAMES)
    assert raised.value.kind == kind
    assert way_out in raised.value.way_out


def test_the_notebook_of_the_course_gets_full_marks(tmp_path: Path) -> None:
    """In cells, with magics, prints, and cells that run it at the top level."""
    text = graded_file(FOLDER / "right" / "simple_variable_v942.py").read_text(encoding="utf-8")
    cells = [*text.split("\n\n\n"), "%matplotlib inline\n!pip install torch",
             "a = Variable.constant(torch.rand(4), name='a')\nda, = grad(simple_variable(a, a), [a])",
             "def simple(a, b):\n    return (a + b) * b", "raise ValueError('left open')"]  # fmt: skip
    made = [
        {"cell_type": "code", "metadata": {}, "source": cell, "outputs": [], "execution_count": n}
        for n, cell in enumerate(cells, 1)
    ]
    path = tmp_path / "homework_v942.ipynb"
    book = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made}
    path.write_text(json.dumps(book), encoding="utf-8")
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 30.0, 2**31, exercise=TAPE)
    rubric = rubric_of(TAPE.name, TAPE.rules, {}, ())
    bank = TAPE.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        grade = grader.grade(path, path.name)
    assert (grade.status, grade.score, grade.max_score) == ("graded", 120.0, 120.0)
