"""A run never costs a class its report: one of fewer submissions is refused, and no report takes
the place of anything but a report."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from plugin_samples import RIGHT, WRONG, Run, bank, lay_out, run_pytest

from pytest_backprop.resume import Journal

ROSTER = "student,submission,variant\nAnn,ann.py,v1\nBob,bob.py,v1\nEve,eve.py,v1\n"
WORDS = (
    "--backprop-report=json:report.json",
    "--backprop-report=csv:table.csv",
    "--backprop-report=html:pages",
    "--backprop-roster=roster.csv",
    "--tb=no",
)


def scores(folder: Path, report: str = "report.json") -> dict[str, float]:
    read = json.loads((folder / report).read_text(encoding="utf-8"))
    return {entry["student"]: entry["score"] for entry in read["submissions"]}


def table(folder: Path) -> dict[str, str]:
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row["score"] for row in csv.DictReader(file)}


def written(folder: Path) -> dict[str, bytes]:
    """Every file there, but the journal."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".journal/" not in str(path))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A class of two, graded, and what teachers keep beside it."""
    folder = tmp_path_factory.mktemp("class")
    submissions = {"class/ann.py": RIGHT, "class/bob.py": WRONG}
    lay_out(folder, {**bank(), **submissions, "roster.csv": ROSTER})
    run = run_pytest(folder, "--backprop", "class", *WORDS)
    assert scores(folder) == {"Ann": 100, "Bob": 78}
    return run


def test_a_run_that_would_leave_grades_out_is_refused_before_anything_is_graded(
    graded: Run,
) -> None:
    folder = graded.folder
    before = written(folder)
    lay_out(folder, {"other/zed_v1.py": RIGHT, "new/report.json": "{}"})
    left_out = "report.json has 2 more submissions, as class/ann.py, which this run does not grade"
    for words, reason in (
        (("other", *WORDS), left_out),
        (
            ("other", "--backprop-report=csv:table.csv", "--backprop-report=json:report.json"),
            left_out,
        ),
        (("other", "--backprop-report=csv:roster.csv", WORDS[3]), "take the place of the roster"),
        (
            ("class/bob.py", *WORDS),
            "has 1 more submission, as class/ann.py, which this run does not",
        ),
        (("class", "-k", "bob", *WORDS), "has 1 more submission, as class/ann.py"),
        (("class", "--backprop-report=json:new/report.json"), "is no report of this version"),
    ):
        run = run_pytest(folder, "--backprop", *words)
        assert run.code == pytest.ExitCode.USAGE_ERROR, run.out
        assert reason in run.told
        assert "path of its own" in run.told or "another path, or remove that" in run.told
    after = written(folder)
    assert {name: after[name] for name in before} == before


def test_one_students_run_is_the_class_resumed(graded: Run) -> None:
    folder = graded.folder
    before = {s["student"]: s for s in graded.report["submissions"]}
    (folder / "class/bob.py").write_text(RIGHT, encoding="utf-8")
    run = run_pytest(folder, "--backprop", "class", *WORDS, "--backprop-resume")
    after = {s["student"]: s for s in run.report["submissions"]}
    assert after["Ann"] == before["Ann"] | {"taken_from": "journal"}
    assert after["Bob"]["score"] == 100
    assert table(folder) == {"Ann": "100", "Bob": "100"}
    pages = "".join(p.read_text(encoding="utf-8") for p in (folder / "pages").rglob("*.html"))
    assert "Ann" in pages
    # one student's run that writes elsewhere
    words = ("--backprop-report=json:bob.json", "--backprop-roster=roster.csv")
    run_pytest(folder, "--backprop", "class/bob.py", *words)
    assert scores(folder, "bob.json") == {"Bob": 100}
    assert scores(folder) == {"Ann": 100, "Bob": 100}
    (folder / "class/bob.py").write_text(WRONG, encoding="utf-8")


def test_without_a_json_report_the_journal_says_what_is_in_it(graded: Run, tmp_path: Path) -> None:
    lay_out(tmp_path, written(graded.folder))
    journal = tmp_path / "table.csv.journal"
    shutil.copytree(graded.folder / "report.json.journal", journal)
    assert set(Journal(journal).entries()) == {"class/ann.py", "class/bob.py"}
    before = table(tmp_path)
    words = ("--backprop-report=csv:table.csv", "--backprop-roster=roster.csv")
    run = run_pytest(tmp_path, "--backprop", "class/bob.py", *words)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "table.csv has 1 more submission, as class/ann.py" in run.told
    assert table(tmp_path) == before
    # the whole class, of which somebody is gone: no trace is left of them
    (tmp_path / "class/ann.py").unlink()
    run_pytest(tmp_path, "--backprop", "class", *words, "--backprop-resume")
    assert table(tmp_path) == {"Bob": "78"}
