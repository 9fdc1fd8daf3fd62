"""A run never costs a class its report: one student's run changes one entry, and no report takes the place
of anything but a report."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from plugin_samples import RIGHT, WRONG, Run, bank, lay_out, run_pytest

from pytest_backprop.resume.journal import read_journal

ROSTER = "student,submission,variant\nAnn,ann.py,v1\nBob,bob.py,v1\nEve,eve.py,v1\n"
RUBRIC = "[checks.release]\npoints = 21\n"
WORDS = ("--backprop-report=json:report.json", "--backprop-report=csv:table.csv",
         "--backprop-report=html:pages", "--backprop-roster=roster.csv", "--tb=no")  # fmt: skip


def scores(folder: Path, report: str = "report.json") -> dict[str, float]:
    read = json.loads((folder / report).read_text(encoding="utf-8"))
    return {entry["student"]: entry["score"] for entry in read["submissions"]}


def table(folder: Path) -> dict[str, str]:
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row["score"] for row in csv.DictReader(file)}


def written(folder: Path) -> dict[str, bytes]:
    """Every file there, but the journal, which is put in order as it is opened."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".journal")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A class of two, graded, and what teachers keep beside it."""
    folder = tmp_path_factory.mktemp("class")
    submissions = {"class/ann.py": RIGHT, "class/bob.py": WRONG}
    lay_out(folder, {**bank(), **submissions, "roster.csv": ROSTER, "rubric.toml": RUBRIC})
    run = run_pytest(folder, "--backprop", "class", *WORDS)
    assert scores(folder) == {"Ann": 100, "Bob": 78}
    return run


def test_one_students_run_changes_one_entry(graded: Run) -> None:
    folder = graded.folder
    before = {s["student"]: s for s in graded.report["submissions"]}
    (folder / "class/bob.py").write_text(RIGHT, encoding="utf-8")
    # what became of Ann's file is no matter of this run's
    (folder / "class/ann.py").rename(folder / "ann_elsewhere.py")
    run = run_pytest(folder, "--backprop", "class/bob.py", *WORDS)
    (folder / "ann_elsewhere.py").rename(folder / "class/ann.py")
    after = {s["student"]: s for s in run.report["submissions"]}
    assert after["Ann"] == before["Ann"] | {"taken_from": "journal"}
    assert after["Bob"]["score"] == 100
    assert run.report["summary"]["mean"] == 100
    assert [entry["student"] for entry in run.report["roster"]["missing"]] == ["Eve"]
    assert table(folder) == {"Ann": "100", "Bob": "100"}
    pages = "".join(p.read_text(encoding="utf-8") for p in (folder / "pages").rglob("*.html"))
    assert "Ann" in pages
    assert "1 more grade stays in the reports as it was" in run.out
    assert "graded 1 of 1" in run.out or "100 / 100" in run.out
    # chosen by a name, it is one student's run, too
    (folder / "class/bob.py").write_text(WRONG, encoding="utf-8")
    run = run_pytest(folder, "--backprop", "class", "-k", "bob", *WORDS)
    assert scores(folder) == {"Ann": 100, "Bob": 78}


def test_what_would_leave_grades_out_is_refused_before_anything_is_graded(graded: Run) -> None:
    folder = graded.folder
    before = written(folder)
    lay_out(folder, {"other/zed_v1.py": RIGHT, "new/report.json": "{}"})
    for words, reason in (
        (("other", *WORDS), "class/ann.py, which this run does not grade: other/zed_v1.py is not in it"),
        (("other", "--backprop-report=csv:table.csv", "--backprop-report=json:report.json"),
         "other/zed_v1.py is not in it"),
        (("other", "--backprop-report=csv:roster.csv", WORDS[3]), "take the place of the roster"),
        (("class/bob.py", "--backprop-rubric=rubric.toml", *WORDS), "the rubric changed"),
        (("class/bob.py", "--backprop-seed=5", *WORDS), "seed went from 0 to 5"),
        (("class/bob.py", *WORDS[:3]), "the roster"),
        (("class", "--backprop-report=json:new/report.json"), "is no report of this version"),
    ):  # fmt: skip
        run = run_pytest(folder, "--backprop", *words)
        assert run.code == pytest.ExitCode.USAGE_ERROR, run.out
        told = run.out + run.err
        assert reason in told
        assert "path of its own" in told or "another path, or remove that" in told
    after = written(folder)
    assert {name: after[name] for name in before} == before


def test_without_a_json_report_the_journal_says_what_is_in_it(graded: Run, tmp_path: Path) -> None:
    journal = (graded.folder / "report.json.journal").read_bytes()
    lay_out(tmp_path, written(graded.folder) | {"table.csv.journal": journal})
    assert set(read_journal(tmp_path / "table.csv.journal")) == {
        "class/ann.py",
        "class/bob.py",
    }
    words = ("--backprop-report=csv:table.csv", "--backprop-roster=roster.csv")
    run_pytest(tmp_path, "--backprop", "class/bob.py", *words)
    assert table(tmp_path) == {"Ann": "100", "Bob": "78"}
    # the whole class, of which somebody is gone: no trace is left of them
    (tmp_path / "class/ann.py").unlink()
    run_pytest(tmp_path, "--backprop", "class", *words, "--backprop-resume")
    assert table(tmp_path) == {"Bob": "78"}
