"""What a small file can make large in a grade: names of megabytes, a finding for every round of a loop."""

from __future__ import annotations

import pytest
from plugin_samples import RIGHT, Run, bank, grade_folder, lay_out

from pytest_backprop.grading.grades import MAX_FINDINGS
from pytest_backprop.resume import Journal

ROUNDS, WASTED = 20, 30
LONG_NAMES = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(2):
            self.register_parameter("w" * 3_000_000 + str(i), nn.Parameter(torch.tensor(0.5)))

    def forward(self, x1, x2, x3):
        w0, w1 = self.parameters()
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.parameters()
        y = w0 * x1 * (w1 * x2) + x3
        w0.grad = w1 * x1
        w1.grad = w0 * x2
        return y
"""
WASTE = RIGHT.replace(
    "        a = w0 * x1\n",
    "        for i in range({}): {}\n        a = w0 * x1\n".format(
        ROUNDS, "; ".join(f"t{n} = w0 * {n}.5" for n in range(WASTED))
    ),
)
"""An unused node for each statement of each round, all on one long line."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("class")
    lay_out(folder, bank())
    return grade_folder(folder, {"names_v1.py": LONG_NAMES, "waste_v1.py": WASTE})


def test_the_journal_and_the_grade_are_small(run: Run) -> None:
    assert len(LONG_NAMES) < 1_000
    assert len(WASTE) < 2_000
    kept = (run.folder / "report.json.journal").iterdir()
    sizes = [path.stat().st_size for path in kept if path.name != "lock"]
    assert len(sizes) == 2
    # 18 MB and 2 MB, when texts were cut nowhere but in the report
    assert max(sizes) < 1_000_000


def test_the_verdicts_are_those_of_short_names(run: Run) -> None:
    names = {c["id"]: c["score"] for c in run.by_name["names_v1.py"]["checks"]}
    assert (names["forward"], names["manual-forward"], names["gradient"]) == (15, 10, 0)
    waste = {c["id"]: c["score"] for c in run.by_name["waste_v1.py"]["checks"]}
    assert (waste["gradient"], waste["unused-nodes"]) == (40, 0)


def test_findings_that_are_left_out_are_counted(run: Run) -> None:
    journal = Journal(run.folder / "report.json.journal").entries()
    entry = next(e for name, e in journal.items() if name.endswith("waste_v1.py"))
    unused = next(c.result for c in entry.grade.checks if c.result.id == "unused-nodes")
    assert len(unused.findings) == MAX_FINDINGS
    assert unused.left_out == ROUNDS * WASTED - MAX_FINDINGS
    *shown, last = run.check("waste_v1.py", "unused-nodes")["findings"]
    assert last["kind"] == "more-findings"
    assert last["message"] == f"{ROUNDS * WASTED - len(shown)} more left out"
