"""Error carried forward: what a rubric with `follow_through` pays for the gradient of a wrong y."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import RIGHT, Run, grade_folder


def changed(y: str, dw0: str, dw1: str) -> str:
    """The right pass with another value and other gradients."""
    text = RIGHT.replace("y = a * b + x3", f"y = {y}").replace("        del b\n", "")
    return text.replace("dw0 = b * x1", f"dw0 = {dw0}").replace("dw1 = a * x2", f"dw1 = {dw1}")


SIGN = changed("x3 - a * b", "-b * x1", "-a * x2")
"""A sign is lost in the value, and the gradients are those of that value."""
OPERATOR = changed("a / b + x3", "x1 / b", "-a * x2 / b ** 2")
HALF = changed("a / b + x3", "x1 / b", "a * x2 / b ** 2")
"""One of them is wrong of that value, too."""
NEITHER = changed("a / b + x3", "x1 / b ** 2", "a * x2 / b ** 2")
TASKS = changed("a / b + x3", "b * x1", "a * x2")
"""The gradients of the task: right, whatever the value."""
ONE = changed("a + x3", "x1", "torch.zeros(())")
"""The value does not depend on w1."""
DATA = SIGN.replace("w0, w1 = self.w\n        a", "w0, w1 = self.w.data\n        a")
KEPT = RIGHT.replace("        return y\n", "")
"""Nothing is returned."""
CLASS: dict[str, str | bytes] = {
    "right_v1.py": RIGHT,
    "sign_v1.py": SIGN,
    "operator_v1.py": OPERATOR,
    "half_v1.py": HALF,
    "neither_v1.py": NEITHER,
    "tasks_v1.py": TASKS,
    "one_v1.py": ONE,
    "data_v1.py": DATA,
    "kept_v1.py": KEPT,
}


def graded(folder: Path, rubric: str) -> Run:
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    return grade_folder(folder, CLASS, "--backprop-points=256", "--backprop-rubric=rubric.toml")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("plain"), 'name = "homework"\n')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("share"), "[checks.gradient]\nfollow_through = 0.5\n")


def scores(run: Run, name: str) -> dict[str, float]:
    return {check["id"]: check["score"] for check in run.by_name[name]["checks"]}


@pytest.mark.parametrize("name", ["sign_v1.py", "operator_v1.py", "data_v1.py"])
def test_the_gradient_of_a_wrong_value_earns_its_share(plain: Run, run: Run, name: str) -> None:
    assert scores(plain, name)["gradient"] == 0
    assert scores(run, name) == scores(plain, name) | {"gradient": 20}
    check = run.check(name, "gradient")
    assert check["outcome"] == "partial"
    assert check["message"].endswith(
        "right of the value that the pass calculates: w0, w1 (20 of 40 points)"
    )
    assert check["details"]["follow_through"] == {"share": 0.5, "right": ["w0", "w1"]}


def test_each_weight_is_held_against_that_value(run: Run) -> None:
    assert scores(run, "half_v1.py")["gradient"] == 10
    assert scores(run, "neither_v1.py")["gradient"] == 0


def test_where_the_value_does_not_depend_on_a_weight_nothing_is_earned(run: Run) -> None:
    assert scores(run, "one_v1.py")["gradient"] == 10


@pytest.mark.parametrize("name", ["right_v1.py", "tasks_v1.py", "kept_v1.py"])
def test_what_is_right_of_the_task_is_as_it_was(plain: Run, run: Run, name: str) -> None:
    assert scores(run, name) == scores(plain, name)


def test_a_whole_share_leaves_the_price_of_the_mistake(tmp_path: Path) -> None:
    run = graded(tmp_path, "[checks.gradient]\nfollow_through = 1\n")
    assert scores(run, "sign_v1.py")["gradient"] == 40
    assert scores(run, "sign_v1.py")["manual-forward"] == 0
