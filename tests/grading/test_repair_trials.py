"""A repair is written into the submission, run and judged, and offered only if that is right."""

from __future__ import annotations

import pytest
from plugin_samples import RIGHT, Run, grade_folder, notebook

SIGN = RIGHT.replace("dw1 = a * x2", "dw1 = -a * x2")
DROPPED = RIGHT.replace("dw1 = a * x2\n        del a", "del a\n        dw1 = x2")
"""The factor that is missing is gone when it is needed."""
EMPTIED = RIGHT.replace("a = w0 * x1", "k = {}\n        k['a'] = w0 * x1").replace(
    "y = a * b", "y = k['a'] * b"
).replace("dw1 = a * x2\n        del a", "k.clear()\n        dw1 = x2")  # fmt: skip
"""The same, in a way that the text does not say."""
SWAPPED = RIGHT.replace("stack([dw0, dw1])", "stack([dw1, dw0])")
FORWARD = RIGHT.replace("(w1 * x2) + x3", "(w1 * x2) - x3")
SLOW = RIGHT.replace("dw1 = a * x2", "dw1 = a * x3")
CELLS = notebook("# Homework", SIGN.replace("class Net", "%matplotlib inline\nclass Net"))
CLASS: dict[str, str | bytes] = {
    "dropped_v1.py": DROPPED,
    "emptied_v1.py": EMPTIED,
    "swapped_v1.py": SWAPPED,
    "forward_v1.py": FORWARD,
    "cells_v1.ipynb": CELLS,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("repairs")
    return grade_folder(folder, CLASS, "--backprop-points=256", "--backprop-hints=fix")


def repairs(run: Run, name: str, check: str = "gradient") -> list[str]:
    return [f["message"] for f in run.check(name, check)["findings"] if f["kind"] == "repair"]


def test_a_name_that_is_gone_is_kept_until_the_line_that_needs_it(run: Run) -> None:
    assert repairs(run, "dropped_v1.py") == [
        "`a` is missing as a factor: write `x2 * a` instead of `x2`, and drop `a` only after that"
    ]
    assert run.check("dropped_v1.py", "gradient")["details"]["repairs"][0]["runs"] is True


def test_a_fix_that_does_not_run_is_not_offered(run: Run) -> None:
    check = run.check("emptied_v1.py", "gradient")
    assert repairs(run, "emptied_v1.py") == []
    assert "faulty-line" in [finding["kind"] for finding in check["findings"]]
    tried = [entry for entry in check["details"]["repairs"] if entry["fix"]]
    assert [entry["runs"] for entry in tried][:1] == [False]
    assert "k['a']" in tried[0]["fix"]


def test_a_swapped_pair_is_said_once(run: Run) -> None:
    told = run.check("swapped_v1.py", "gradient")["findings"]
    lines = [finding["message"] for finding in told if finding["kind"] == "faulty-line"]
    assert lines == ["`dw0` and `dw1` stand in each other's place"]
    assert repairs(run, "swapped_v1.py") == ["swap `dw1` and `dw0`"]


def test_forward_is_mended_by_itself(run: Run) -> None:
    (told,) = repairs(run, "forward_v1.py", "forward")
    assert told.startswith("the operator should be `+`, not `-`: write ")


def test_a_cell_is_mended_in_its_cell(run: Run) -> None:
    assert repairs(run, "cells_v1.ipynb") == [
        "the sign is wrong: write `a * x2` instead of `-a * x2`"
    ]
    (finding,) = [f for f in run.check("cells_v1.ipynb", "gradient")["findings"]
                  if f["kind"] == "repair"]  # fmt: skip
    assert finding["cell"] == 2


def test_the_terminal_shows_it_in_80_columns(run: Run) -> None:
    lines = run.section("FAILURES")
    assert max(map(len, lines)) <= 80
    told = " ".join(" ".join(lines).split())
    assert "write `x2 * a` instead of `x2`, and drop `a` only after that" in told
