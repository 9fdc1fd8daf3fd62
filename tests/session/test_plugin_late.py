"""A class with late submissions: what the terminal, the reports and a gradebook say of it."""

from __future__ import annotations

import csv
import io

import pytest
from plugin_samples import RIGHT, WRONG, Run, bank, lay_out, run_pytest

RUBRIC = """[late]
due = 2026-11-20T23:59:00+03:00
penalty = 0.1
cap = 0.5
"""
ROSTER = """student,submission,variant,email,submitted
Ann,ann.py,v1,ann@uni.example,2026-11-20T20:00:00+03:00
Bob,bob.py,v1,bob@uni.example,2026-11-23 12:00:00 +0300
Eve,eve.py,v1,eve@uni.example,soon
"""
GRADE = (
    "--backprop",
    "class",
    "--backprop-roster=roster.csv",
    "--backprop-rubric=rubric.toml",
    "--backprop-report=json:report.json",
    "--backprop-report=csv:report.csv",
    "--backprop-report=csv-moodle:moodle.csv",
    "--backprop-report=markdown:report.md",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("late")
    lay_out(folder, bank() | {"roster.csv": ROSTER, "rubric.toml": RUBRIC})
    lay_out(folder / "class", {"ann.py": RIGHT, "bob.py": WRONG, "eve.py": RIGHT})
    return run_pytest(folder, *GRADE)


NOTE = "late: day 3 (0 free), 23.4 of 78 points off; due 2026-11-20 23:59+03:00"


def test_the_terminal_says_what_was_taken_off_and_whose_time_nobody_knows(run: Run) -> None:
    shown = run.section("backprop")
    assert "    late: day 3, 23.4 points off" in shown
    assert "1 submission was late, which cost 23.4 points" in shown
    assert "lateness is not known: class/eve.py ('soon' is no time that is understood)" in shown
    assert all(len(line) <= 80 for line in shown)


def test_the_report_has_the_raw_score_and_the_deduction(run: Run) -> None:
    bob, ann, eve = (run.by_name[f"{name}.py"] for name in ("bob", "ann", "eve"))
    assert sum(check["score"] for check in bob["checks"]) == 78
    assert (bob["score"], bob["adjustment"]) == (54.6, -23.4)
    assert bob["late"] == {
        "due": "2026-11-20 23:59:00+03:00",
        "submitted": "2026-11-23 12:00:00+03:00",
        "days": 3,
        "free_days": 0,
        "share": 0.3,
        "deduction": 23.4,
        "problem": None,
    }
    assert (ann["score"], ann["late"]["days"]) == (100, 0)
    assert (eve["score"], eve["late"]["submitted"]) == (100, None)
    assert eve["notes"] == []  # it is the instructor's to mend


def test_tables_and_texts_for_students_have_it(run: Run) -> None:
    text = (run.folder / "report.csv").read_text(encoding="utf-8-sig")
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(text))}
    assert (rows["Bob"]["score"], rows["Bob"]["late_deduction"]) == ("54.6", "23.4")
    assert (rows["Ann"]["late_days"], rows["Eve"]["submitted"]) == ("0", "")
    for name in ("report.csv", "moodle.csv", "report.md"):
        assert NOTE in (run.folder / name).read_text(encoding="utf-8"), name


def test_a_submission_whose_time_is_mended_is_graded_again(run: Run) -> None:
    lay_out(run.folder, {"roster.csv": ROSTER.replace("soon", "2026-11-21")})
    again = run_pytest(run.folder, *GRADE, "--backprop-resume")
    assert [s["taken_from"] for s in again.report["submissions"]] == ["journal", "journal", None]
    assert again.by_name["eve.py"]["score"] == 90
    shown = " ".join(again.section("backprop"))
    assert "regraded because how late it is, or what that costs, changed:" in shown
    assert "class/eve.py: 100 -> 90" in shown
