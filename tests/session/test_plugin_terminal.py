"""The terminal at 80 columns, whole: what a teacher sees of a small class."""

from __future__ import annotations

import re

import pytest
from plugin_samples import RIGHT, WRONG, Run, grade_folder
from wcwidth import wcswidth

from pytest_backprop.processes import sandbox

LONG_LINE = RIGHT.replace(
    "        dw1 = a * x2\n",
    "        dw1 = a * x3 * 1.0000000000001 * 1.0000000000002 * 1.0000000000003"
    " * 1.0000000000004 * 1.0000000000005 * 1.0000000000006\n",
)
CLASS: dict[str, str | bytes] = {"right_v1.py": RIGHT, "wrong_v1.py": WRONG}
WIDE: dict[str, str | bytes] = {
    "long_v1.py": LONG_LINE,
    "Константинопольская Александра Вениаминовна, группа 1234, задание 5, v1.py": WRONG,
    "very/" * 12 + "deep_v1.py": "class Net(",
    "李" * 40 + "_v1.ipynb": "[]",
    "unknown_v77.py": RIGHT,
}
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("small"), CLASS)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("wide"), WIDE, "--color=yes")


def test_header(small: Run) -> None:
    level = str(sandbox.probe())  # of this machine
    assert f"backprop: sandbox {level}; variants variants; seed 0\n" in small.out


def test_progress_is_pytests_own(small: Run) -> None:
    lines = [" ".join(line.split()) for line in small.out.split("\n")]
    assert "class/right_v1.py ...... [ 50%]" in lines
    assert "class/wrong_v1.py ..F.F. [100%]" in lines


def test_failing_items(small: Run) -> None:
    assert small.section("FAILURES") == [
        "__________________________ class/wrong_v1.py gradient __________________________",
        "gradient: 20 of 40 points",
        "the gradient of w1 is wrong; that of w0 is right",
        "  line 21: dw1 = a * x3",
        "                 ^",
        "    `dw1` goes wrong here: it should be ∂y/∂w1",
        "    d y / d w1: 4096 of 4096 points differ; at w0=0.5, w1=-1, x1=5, x2=-0.5,",
        "      x3=3 it is 7.5, should be -1.25; greatest difference 1.14e+04 absolute",
        "      (allowed: 1e-07), 194 relative (allowed: 5e-05)",
        "    hint: follow each path from the weight to y: every path adds one term",
        "  to see it, run this after the class:",
        "    model = Net()",
        "    with torch.no_grad():",
        "        model.w.copy_(torch.tensor([0.5, -1.0]).view_as(model.w))",
        "        y = model.my_forward_backward(*torch.tensor([5.0, -0.5, 3.0]))",
        "    print(y, model.w.grad)",
        "__________________________ class/wrong_v1.py release ___________________________",
        "release: 18 of 20 points",
        "`a` is kept after its last use; peak 5 live values, autograd 6",
        "  line 21: dw1 = a * x3",
        "           ^",
        "    hint: drop it right after line 21: `a = None`",
    ]


def test_summary(small: Run) -> None:
    assert small.section("backprop") == [
        "submission                                                    variant      score",
        "class/right_v1.py                                             v1 (name)  100/100",
        "class/wrong_v1.py                                             v1 (name)   78/100",
        "    gradient: line 21: `dw1` goes wrong here: it should be ∂y/∂w1",
        "",
        "graded 2 of 2, mean 89, median 89",
        "journal: report.json.journal",
        "report: report.json",
    ]


def test_pytests_own_summary_names_the_points(small: Run) -> None:
    assert small.section("short test summary info") == [
        "FAILED class/wrong_v1.py::gradient - gradient: 20 of 40 points",
        "FAILED class/wrong_v1.py::release - release: 18 of 20 points",
    ]


def test_without_colour_there_are_no_escape_codes(small: Run) -> None:
    assert "\x1b" not in small.out


def test_with_colour_the_table_is_marked(wide: Run) -> None:
    rows = [line for line in wide.out.split("\n") if "deep_v1.py" in ESCAPE.sub("", line)]
    assert any(line.startswith("\x1b[31m") and "0/100" in line for line in rows)


def too_wide(run: Run, title: str) -> list[str]:
    """Lines of a section that are over 80 columns; pytest's own titles of items are not ours."""
    bare = Run(run.code, ESCAPE.sub("", run.out), run.err, run.folder)
    lines = [line for line in bare.section(title) if not re.fullmatch(r"_+ .* _+", line)]
    assert len(lines) > 5
    return [line for line in lines if wcswidth(line) > 80]


@pytest.mark.parametrize("title", ["FAILURES", "backprop"])
def test_no_line_is_wider_than_the_terminal(wide: Run, title: str) -> None:
    assert [line for line in too_wide(wide, title) if "李" not in line] == []


def test_no_line_of_wide_letters_is_either(wide: Run) -> None:
    assert too_wide(wide, "FAILURES") == []
