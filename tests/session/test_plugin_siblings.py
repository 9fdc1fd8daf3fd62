"""Submissions of several files through pytest: the report and its pages, and what is graded again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plugin_samples import Run, lay_out, run_pytest
from several_files import BANK, LAYER_FILE, LINEAR

WRONG = LINEAR.replace("matmul(x.t(), dout)", "matmul(x.t(), dout) * 2")
CLASS: dict[str, str | bytes] = {
    "class/anna/layers_v1.py": LAYER_FILE,
    "class/anna/linear.py": WRONG,
    "class/ben/layers_v1.py": LAYER_FILE,
    "class/ben/linear.py": LINEAR,
    "class/ben/notes.py": "x = 1\n",
}
TASKS = {f"bank/{name}": text for name, text in BANK.items() if name not in ("v3.py", "v4.py")}


def grade(folder: Path, *words: str) -> Run:
    return run_pytest(
        folder, "--backprop", "class", "--backprop-variants=bank", "--backprop-report=json:report.json",
        "--backprop-points=256", "--backprop-resume", *words,
    )  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("class")
    lay_out(folder, {**CLASS, **TASKS})
    return grade(folder, "--backprop-report=html:pages")


def scores(run: Run) -> dict[str, float]:
    return {s["path"]: s["score"] for s in run.report["submissions"]}


def test_the_report_names_the_file(graded: Run) -> None:
    assert scores(graded) == {"class/anna/layers_v1.py": 80, "class/ben/layers_v1.py": 100}
    anna, ben = graded.report["submissions"]
    assert "imported by it, and graded with it: linear.py" in anna["notes"]
    assert "also handed in, not graded: notes.py" in ben["notes"]
    places = {
        (f["path"], f["file"], f["source"])
        for check in anna["checks"]
        for f in check["findings"]
        if f["line"] is not None
    }
    line = "        dw = matmul(x.t(), dout) * 2"
    assert places == {("class/anna/linear.py", "linear.py", line)}
    number = WRONG[: WRONG.index("dw = ")].count("\n") + 1
    assert f"linear.py, line {number}: dw = matmul" in graded.out


def test_the_page_names_the_file_and_links_no_line_of_another(graded: Run) -> None:
    (page,) = (p for p in (graded.folder / "pages/students").iterdir() if "anna" in p.name)
    text = page.read_text(encoding="utf-8")
    assert "linear.py, line" in text
    assert not re.search(r"<a [^>]*>\s*linear\.py, line", text)


def test_a_change_of_a_sibling_or_a_helper_is_graded_again(graded: Run) -> None:
    again = grade(graded.folder)
    assert scores(again) == scores(graded)
    assert all(s["taken_from"] for s in again.report["submissions"])
    lay_out(graded.folder, {"class/anna/linear.py": LINEAR})
    assert scores(grade(graded.folder))["class/anna/layers_v1.py"] == 100
    helper = str(BANK["course_helper.py"]).replace("a.mm(b)", "a.mm(b) * 2")
    lay_out(graded.folder, {"bank/course_helper.py": helper})
    assert set(scores(grade(graded.folder)).values()) != {100}
