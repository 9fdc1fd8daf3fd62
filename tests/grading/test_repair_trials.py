"""A repair is written into the submission, run and judged, and offered only if that is right."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from plugin_samples import RIGHT, Run, grade_folder, notebook

from pytest_backprop.grading.repair_trials import MOST, SHARE, RepairTrials
from pytest_backprop.model import CheckResult, Finding, Outcome, Span, Submission, Unit
from pytest_backprop.repair import Replacement

SIGN = RIGHT.replace("dw1 = a * x2", "dw1 = -a * x2")
DROPPED = RIGHT.replace("dw1 = a * x2\n        del a", "del a\n        dw1 = x2")
"""The factor that is missing is gone when it is needed."""
EMPTIED = RIGHT.replace("a = w0 * x1", "k = {}\n        k['a'] = w0 * x1").replace(
    "y = a * b", "y = k['a'] * b"
).replace("dw1 = a * x2\n        del a", "k.clear()\n        dw1 = x2")  # fmt: skip
"""The same, in a way that the text does not say."""
SWAPPED = RIGHT.replace("stack([dw0, dw1])", "stack([dw1, dw0])")
FORWARD = RIGHT.replace("(w1 * x2) + x3", "(w1 * x2) - x3")
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
    assert repairs(run, "cells_v1.ipynb") == ["write `a * x2` instead of `-a * x2`"]
    (finding,) = [f for f in run.check("cells_v1.ipynb", "gradient")["findings"]
                  if f["kind"] == "repair"]  # fmt: skip
    assert finding["cell"] == 2


def test_the_terminal_shows_it_in_80_columns(run: Run) -> None:
    lines = run.section("FAILURES")
    assert max(map(len, lines)) <= 80
    told = " ".join(" ".join(lines).split())
    assert "write `x2 * a` instead of `x2`, and drop `a` only after that" in told


def test_trials_are_bounded_in_number_and_in_time() -> None:
    wrong = CheckResult(
        "gradient", "partial", 0.5, "", "replayed", (Finding("wrong-gradient", ""),)
    )
    right = CheckResult("gradient", "passed", 1.0, "", "replayed")
    submission = Submission("a.py", "py", (Unit("x = 1\n"),))
    written: list[str] = []

    def regrade(mended: Submission, budget: float) -> dict[str, CheckResult]:
        written.append(mended.units[0].text)
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        assert 0 < budget <= SHARE * 60
        return {"gradient": right}

    change = [Replacement(Span(0, 1, 4, 1, 5), "2")]
    trials = RepairTrials(submission, lambda: {"gradient": wrong}, regrade, 60)
    assert [trials.mends("pass", change) for _ in range(MOST + 2)] == [True] * MOST + [False] * 2
    assert written == ["x = 2\n"] * MOST
    hurried = RepairTrials(submission, lambda: {"gradient": wrong}, regrade, 0.01 / SHARE)
    assert [hurried.mends("pass", change) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize(
    ("gradient", "release", "mends"),
    [
        (("passed", ()), ("passed", ()), True),
        (("partial", ("no-gradient",)), ("passed", ()), False),
        (("partial", ("wrong-gradient",)), ("passed", ()), False),
        (("failed", ("raises",)), ("passed", ()), False),
        (("passed", ()), ("partial", ("late-release",)), False),
    ],
)
def test_a_repair_leaves_no_wrong_number_and_spoils_nothing(
    gradient: tuple[Outcome, tuple[str, ...]], release: tuple[Outcome, tuple[str, ...]], mends: bool
) -> None:
    def results(*given: tuple[Outcome, tuple[str, ...]]) -> dict[str, CheckResult]:
        return {
            id: CheckResult(id, outcome, 0.5, "", "replayed", tuple(Finding(k, "") for k in kinds))
            for id, (outcome, kinds) in zip(("gradient", "release"), given, strict=True)
        }

    before = results(("partial", ("wrong-gradient",)), ("passed", ()))
    trials = RepairTrials(
        Submission("a.py", "py", ()), lambda: before, lambda *_: results(gradient, release), 60
    )
    assert trials.mends("pass", []) == mends


def test_resuming_with_more_hints_has_the_repairs(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"dropped_v1.py": DROPPED}
    first = grade_folder(tmp_path, files, "--backprop-points=256")
    assert repairs(first, "dropped_v1.py") == []
    again = grade_folder(tmp_path, files, "--backprop-points=256", "--backprop-hints=fix",
                         "--backprop-resume")  # fmt: skip
    assert again.by_name["dropped_v1.py"]["taken_from"] is None  # it is run again for them
    assert len(repairs(again, "dropped_v1.py")) == 1
