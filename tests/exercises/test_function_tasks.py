"""Tasks of `autograd-function`: at which sizes and numbers a Function is judged."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import AUTOGRAD_FUNCTION
from pytest_backprop.exercises.functions.typed_task import MatrixVariant
from pytest_backprop.grading.tasks import Tasks
from pytest_backprop.judging.case import Tolerance

SCALED = """
def {name}(x: Float[Tensor, "n d"], a: float):
    return torch.sin(x) * a
"""
LAYER = """
def {name}(x: Float[Tensor, "n d"], w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return torch.tanh(x @ w + b)
"""


def task(folder: Path, name: str, text: str) -> MatrixVariant:
    head = 'EXERCISE = "autograd-function"\nORDER = 2\n'
    (folder / f"{name}.py").write_text(head + text.format(name=name), encoding="utf-8")
    variant = AUTOGRAD_FUNCTION.load_bank(folder).get(name)
    assert isinstance(variant, MatrixVariant)
    return variant


def test_a_plain_number_is_another_in_each_run_beside_the_draws(tmp_path: Path) -> None:
    runs = AUTOGRAD_FUNCTION.references(task(tmp_path, "v1", SCALED))
    numbers = [leaf.literal for r in runs for leaf in r.scenario.leaves if leaf.literal]
    assert len(numbers) == len(runs) > len(set(numbers)) >= 4


@pytest.mark.parametrize("name", ["v13", "v39"])  # of whose draws some had more
def test_the_value_is_small_at_the_sizes_that_are_drawn(name: str, tmp_path: Path) -> None:
    variant = task(tmp_path, name, LAYER)
    for draw in range(variant.draw_count):
        (sent,) = [leaf for leaf in variant.task.at(draw).leaves if leaf.name == "grad_output"]
        assert sent.shape[0] * sent.shape[1] <= 64


def test_calls_names_a_class(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="does not name a class"):
        task(tmp_path, "v1", 'CALLS = ("Scaled", "scale")\n' + SCALED)


CENTRED = """
def {name}(x: Float[Tensor, "n d"], y: Float[Tensor, "n 1"]):
    return (x - y) - (x - y).mean(dim=1, keepdim=True)
"""


def test_a_task_whose_input_makes_no_difference_is_refused(tmp_path: Path) -> None:
    """It was judged where the other input alone needs a gradient, and anything was paid for this one."""
    variant = task(tmp_path, "v1", CENTRED)
    tasks = Tasks(AUTOGRAD_FUNCTION, 0, 256, Tolerance(5e-5, 1e-7))
    with pytest.raises(UsageProblem, match=r"does not depend on y|ill-conditioned"):
        tasks.right(variant)


AT_A_KINK = """
def {name}(x: Float[Tensor, "n 4"]):
    return torch.relu(x)
"""


def test_one_run_is_at_kinks_and_judged_for_numbers_alone(tmp_path: Path) -> None:
    """The course's own note passes the gradient at 0 (`grad[x < 0] = 0`), and torch's relu does not."""
    runs = AUTOGRAD_FUNCTION.references(task(tmp_path, "v1", AT_A_KINK))
    (run,) = [run for run in runs if 0.0 in run.scenario.points[0]]
    assert {0.0, 1.0, -1.0} <= set(run.scenario.points[0])
    gradients = run.outputs["grad.x"].data
    assert any(map(math.isnan, gradients))
    assert not all(map(math.isnan, gradients))
