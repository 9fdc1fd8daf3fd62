"""A class on the terminal: the table, the commonest faults, what to look at; details only if asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import RIGHT, WRONG, Run, grade_folder
from report_checks import LATE, check, grade
from report_documents import of

from pytest_backprop.model import Finding, Grade
from pytest_backprop.reports.terminal import LOOKED_AT, class_lines

BREACH = Finding("autograd", "the pass is not manual: Tensor.backward")
FILES: dict[str, str | bytes] = {
    **{f"a{n}_v1.py": RIGHT for n in range(4)},
    **{f"b{n}_v1.py": WRONG for n in range(6)},
    "c_v1.py": "class Net(",
    "d.py": RIGHT,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("many"), FILES)


def test_a_class_is_a_page(run: Run) -> None:
    assert "FAILURES" not in run.out
    assert "short test summary" not in run.out
    lines = run.section("backprop")
    assert [line.split()[0] for line in lines[1:13]] == [f"class/{name}" for name in sorted(FILES)]
    assert lines[13:] == [
        "",
        "graded 11 of 12, mean 78.91, median 78, not judged: 1",
        "",
        "commonest faults",
        "    6 submissions: gradient, wrong-gradient, as in class/b0_v1.py",
        "    6 submissions: release, late-release, as in class/b0_v1.py",
        "",
        "to look at",
        "    class/d.py: not judged: its variant is not known; give --backprop-variant vN",
        "      (for a class: --backprop-roster FILE), put vN into the file's name, or",
        "      keep the course's `def vN()` in the submission",
        "    class/c_v1.py: unreadable: line 1 is not Python: '(' was never closed",
        "",
        "why each check failed: with -v, or for one file",
        "journal: report.json.journal",
        "report: report.json",
    ]


def test_what_was_asked_for_is_told(tmp_path: Path) -> None:
    many = {f"b{n}_v1.py": WRONG for n in range(11)}
    run = grade_folder(tmp_path, many, "-v")
    assert len([line for line in run.section("FAILURES") if line.startswith("____")]) == 22
    assert "commonest faults" not in run.out


def test_ten_are_told_each(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, {f"b{n}_v1.py": WRONG for n in range(10)})
    assert len([line for line in run.section("FAILURES") if line.startswith("____")]) == 20


def lines_of(*grades: Grade) -> list[str]:
    return [text for text, _ in class_lines(of(*grades), 80)]


def test_what_no_grader_can_settle_is_to_look_at() -> None:
    lost = check(
        "gradient", 0.0, 40, outcome="not_judged", message="no luck", details={"reason": "no luck"}
    )
    told = lines_of(
        grade("a.py", check("integrity", 0.0, 0, findings=(BREACH,))),
        grade("b.py", check("forward"), lost),
        grade("c.py", check(findings=(LATE,), fraction=0.5)),
        grade("e.py", lost, status="not_reached", message="the run ended before it was graded"),
        grade("f.py", check(fraction=0.0), status="timeout", message="stopped after 20 s"),
    )
    start = told.index("to look at")
    assert told[start + 1 : start + 4] == [
        "    b.py: not judged: gradient (no luck)",
        "    f.py: timeout: stopped after 20 s",
        "    a.py: integrity: the pass is not manual: Tensor.backward",
    ]
    assert told[start + 4] == ""
    totals = " ".join(
        line.strip() for line in told[told.index("") : told.index("commonest faults")]
    )
    assert "not judged: 1, not reached: 1, judged in part: 1" in totals


def test_what_keeps_many_from_being_judged_is_told_once() -> None:
    lost = check("gradient", 0.0, 40, outcome="not_judged")
    unknown = "its variant is not known; " + "give one " * 20 + "at last"
    told = lines_of(
        *(grade(f"{n}.py", lost, status="not_judged", message=unknown) for n in range(30))
    )
    start = told.index("to look at")
    listed = told[start + 1 : told.index("", start)]
    assert listed[0].startswith("    0.py (and 29 more): not judged: its variant is not known; ")
    assert listed[-1].endswith("at last") and len(listed) < 5  # noqa: PT018


def test_lists_are_short_and_lines_fit() -> None:
    grades = [
        grade(f"{'very/' * 20}{n}.py", check("integrity", 0.0, 0, findings=(BREACH,)))
        for n in range(40)
    ]
    told = lines_of(*grades)
    assert max(map(len, told)) <= 80
    start = told.index("to look at")
    assert told[start + 1 + LOOKED_AT] == "    … and 28 more"
    assert lines_of(grade("a.py", check()))[-3] != ""
