"""The wrong line in the forms in which courses ask: where gradients are sent, where a pass branches on values, where one
size is too large for a search, where a helper is called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from forms_grading import TASKS, Grading, grading
from forms_oracle import read_task

from pytest_backprop.model import LINES

KEYS = Path(__file__).parent.parent / "submissions_forms" / "keys"


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        pytest.param("lstm_step_v520", "di * i * (1 - i)", "di * (1 - i)", id="of what is sent"),
        pytest.param(
            "relu_v658", 'z2 @ self.parameters["W2"].T', 'z1 @ self.parameters["W2"].T', id="a kink"
        ),
        pytest.param(
            "functions_v605", "(W2 * W2).sum()", "W2.sum()", id="what only gradients read"
        ),
        pytest.param("loops_v601", "dW /= num_train", "dW /= num_classes", id="a branch"),
        pytest.param("vectorized_v602", "mask[margins > 0]", "mask[margins < 0]", id="a mask"),
        pytest.param("logistic_v609", "sigmoid(z) - y", "sigmoid(z)", id="what a helper returns"),
        pytest.param("conv_naive_v516", "dw[f] += window", "dw[f] = window", id="another size"),
    ],
)
def test_the_wrong_line_comes_first(
    key: str, right: str, wrong: str, graded: Grading, tmp_path: Path
) -> None:
    text = (KEYS / f"{key}.py").read_text(encoding="utf-8")
    lines = _lines(key, right, wrong, graded, tmp_path)
    assert lines[:1] == [text[: text.index(right)].count("\n") + 1]


def test_no_line_is_named_where_the_way_itself_is_wrong(graded: Grading, tmp_path: Path) -> None:
    assert _lines("loops_v601", "if margin > 0:", "if margin > 0.7:", graded, tmp_path) == []


def _lines(key: str, right: str, wrong: str, graded: Grading, folder: Path) -> list[int]:
    """Those that are told of a key with one replacement, likeliest first."""
    text = (KEYS / f"{key}.py").read_text(encoding="utf-8")
    assert text.count(right) == 1
    path = folder / f"{key}.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    grade = graded(path, read_task(TASKS / f"{key.rpartition('_')[2]}.py").form)
    assert grade.score < 100
    findings = [finding for check in grade.checks for finding in check.result.findings]
    return [each.place.line for each in findings if each.kind in LINES and each.place is not None]
