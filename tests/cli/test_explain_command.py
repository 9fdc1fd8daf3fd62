"""`backprop explain`: one student's result, as the terminal showed it when it was graded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hostile import HOSTILE, SETTINGS, harmful, hostile_document
from hypothesis import given, settings
from report_checks import check, grade, grades

from pytest_backprop.cli import main
from pytest_backprop.model import Finding, Grade, Place
from pytest_backprop.reports.document import SubmissionEntry, ToolInfo
from pytest_backprop.reports.entries import document
from pytest_backprop.reports.json_report import render
from pytest_backprop.reports.reading import grade_of, read_report
from pytest_backprop.reports.terminal import grade_lines

EXAMPLES = Path(__file__).parents[2] / "examples"
TOOL = ToolInfo("pytest-backprop", "0", "0", "3")


def explain(report: Path, *arguments: str, color: bool = False) -> Result:
    return CliRunner().invoke(main, ["explain", str(report), *arguments], color=color)


def written(folder: Path, *made: Grade, **changed: object) -> Path:
    path = folder / "grades.json"
    text = render(document(made, {**SETTINGS, **changed}, TOOL, 1.0))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The example class, graded: its report, and what the terminal showed."""
    path = tmp_path_factory.mktemp("class") / "grades.json"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--backprop", "examples/class/boris_v10.py",
         "examples/class/vera_v1.ipynb", "examples/class/dasha_v3.py", "-p", "no:cacheprovider",
         "--backprop-roster", "examples/roster.csv", "--backprop-report", f"json:{path}"],
        cwd=EXAMPLES.parent, capture_output=True, text=True,
    )  # fmt: skip
    return path, done.stdout


def test_it_tells_what_the_run_told(report: tuple[Path, str]) -> None:
    path, run = report
    result = explain(path, "--student", "Boris")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:4] == [
        "examples/class/boris_v10.py", "student: Boris", "variant: v10", "score: 68.5/100",
    ]  # fmt: skip
    assert re.search(r"^gradient +partial +20/40$", result.output, re.M)
    shown = run[run.index("gradient: 20 of 40") : run.index("___", run.index("gradient: 20 of 40"))]
    assert shown in result.output
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in result.output


def test_hints_and_language(report: tuple[Path, str]) -> None:
    path, _ = report
    assert "hint:" in explain(path, "--student", "Vera").output
    plain = explain(path, "--student", "Vera", "--hints", "none").output
    assert "hint:" not in plain
    assert "line 57" not in plain
    russian = explain(path, "--student", "Vera", "--lang", "ru").output
    assert "оценка: 94/100" in russian
    assert "is kept after its last use" in russian
    assert "score: 94/100" in explain(path, "--student", "Vera").output  # not Russian for good


@pytest.mark.parametrize(
    "arguments",
    [("--student", "Vera"), ("--student", "ver"), ("--submission", "vera_v1.ipynb"),
     ("--submission", "examples/class/vera_v1.ipynb"), ("--submission", "VERA"),
     ("--student", "VERA", "--submission", "v1")],
)  # fmt: skip
def test_who_is_meant(arguments: tuple[str, ...], report: tuple[Path, str]) -> None:
    assert "student: Vera" in explain(report[0], *arguments).output


def test_a_submission_that_was_not_run_tells_why_once(report: tuple[Path, str]) -> None:
    result = explain(report[0], "--student", "Dasha")
    assert "\nunreadable\n" in result.output
    assert result.output.count("line 6 is not Python") == 1
    assert re.search(r"^release +failed +0/20$", result.output, re.M)


def test_several_are_listed_and_near_names_suggested(report: tuple[Path, str]) -> None:
    several = explain(report[0])
    assert several.exit_code == 2
    assert "3 submissions match" in several.output
    for name in ("boris_v10.py (Boris)", "dasha_v3.py (Dasha)", "vera_v1.ipynb (Vera)"):
        assert f"examples/class/{name}" in several.output
    assert "2 submissions match" in explain(report[0], "--student", "a").output
    unknown = explain(report[0], "--student", "Beris")
    assert unknown.exit_code == 2
    assert "nothing of 'Beris'" in unknown.output
    assert "did you mean Boris?" in unknown.output
    assert "all that it has are listed" in explain(report[0], "--student", "Zqx").output


def test_a_name_in_full_wins_over_a_part_of_another(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        grade("a.py", check("forward", 1.0), student="Ann"),
        grade("b.py", check("forward", 1.0), student="Anna"),
    )
    assert "a.py" in explain(path, "--student", "ann").output
    assert "b.py" in explain(path, "--student", "anna").output
    assert "2 submissions match" in explain(path, "--student", "an").output


def test_one_submission_needs_no_name(tmp_path: Path) -> None:
    path = written(tmp_path, grade("a.py", check("forward", 1.0), notes=("float64 was used",)))
    result = explain(path)
    assert result.exit_code == 0
    assert result.output.endswith("\n\nfloat64 was used\n")
    assert "no submissions" in explain(written(tmp_path)).output


def test_colours_only_on_a_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, grade("a.py", check("forward", 0.0)))
    assert "\x1b[31mforward" in explain(path, color=True).output
    assert "\x1b" not in explain(path).output
    command = "from pytest_backprop.cli import main; main()"
    piped = subprocess.run(
        [sys.executable, "-c", command, "explain", str(path)], capture_output=True, check=True
    )
    assert b"\x1b" not in piped.stdout


def test_a_report_in_russian_is_explained_in_russian(tmp_path: Path) -> None:
    path = written(tmp_path, grade("a.py", check("forward", 0.0)), lang="ru")
    assert "не пройдена" in explain(path).output
    assert "failed" in explain(path, "--lang", "en").output


def edited(folder: Path, **changed: object) -> Path:
    path = written(folder, grade("a.py", check("forward", 1.0)))
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **changed}), encoding="utf-8")
    return path


def test_what_is_no_report_of_ours_is_told(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for text in ("", "{}", "[1]", "student,id\n", '{"schema_version": 1}', "[" * 100_000, "\udcff",
                 '{"schema_version": 1, "tool": {"name": "another"}}'):  # fmt: skip
        other.write_text(text, encoding="utf-8", errors="surrogateescape")
        result = explain(other)
        assert result.exit_code == 2
        assert "other.json is no report of pytest-backprop" in result.output
        assert "--backprop-report json:FILE" in result.output
    assert "cannot be read" in explain(tmp_path / "none.json").output
    assert "cannot be read" in explain(tmp_path).output


def test_a_report_of_a_later_version_and_a_damaged_one(tmp_path: Path) -> None:
    later = explain(edited(tmp_path, schema_version=2, new_key=1))
    assert later.exit_code == 2
    assert "is of version 2; this program reads version 1" in later.output
    damaged = explain(edited(tmp_path, submissions=[{"path": "a.py"}]))
    assert damaged.exit_code == 2
    assert "is damaged" in damaged.output
    assert "$.submissions[0]" in damaged.output


@settings(max_examples=50)
@given(made=grades)
def test_a_grade_that_was_read_back_is_the_grade_that_was_written(made: Grade) -> None:
    entry = document([made], SETTINGS, TOOL, 1.0).submissions[0]
    read = msgspec.json.decode(msgspec.json.encode(entry), type=SubmissionEntry)
    assert document([grade_of(read)], SETTINGS, TOOL, 1.0).submissions == [entry]
    assert harmful("\n".join(text for text, _ in grade_lines(grade_of(read), "line"))) == []


def test_hostile_text_does_nothing(tmp_path: Path) -> None:
    path = tmp_path / "grades.json"
    path.write_text(render(hostile_document(HOSTILE * 50)), encoding="utf-8")
    result = explain(path)
    assert result.exit_code == 0
    assert harmful(result.output) == []


def test_hostile_text_that_never_went_through_a_report_does_nothing(tmp_path: Path) -> None:
    """A file that somebody else wrote: nothing in it was made visible before."""
    bad = HOSTILE.replace("\ud800\udfff", "")
    content = json.loads(render(hostile_document("text")))
    (entry,) = content["submissions"]
    for target in (entry, *entry["checks"], *(f for c in entry["checks"] for f in c["findings"])):
        for key, value in target.items():
            if value == "text":
                target[key] = bad
    entry |= {"student": bad, "notes": [bad], "email": bad, "status": "crashed"}
    content["submissions"] = [entry, {**entry, "path": f"other {bad}"}]
    path = tmp_path / "grades.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_report(path).submissions[0].student == bad
    for arguments in ((), ("--submission", "other"), ("--student", "zzz"), ("--student", "title")):
        result = explain(path, *arguments)
        assert harmful(result.output) == [], arguments
        assert not [x for x in result.output.split("\n") if x.startswith(("Grade :=>>", "::error"))]
    entry["status"] = bad  # then it is no report, and the error must do nothing either
    path.write_text(json.dumps(content), encoding="utf-8")
    assert harmful(explain(path).output) == []


def test_a_finding_without_a_line_is_shown_without_place(tmp_path: Path) -> None:
    place = Place("a.py", 3, 1, None, "y = x")
    finding = Finding("late-release", "`y` is kept", place=place, hint="drop it")
    path = written(tmp_path, grade("a.py", check("release", 0.0, findings=(finding,))))
    assert "  line 3: y = x\n          ^\n" in explain(path).output
    content = json.loads(path.read_text(encoding="utf-8"))
    content["submissions"][0]["checks"][0]["findings"][0] |= {"line": None, "source": None}
    path.write_text(json.dumps(content), encoding="utf-8")
    result = explain(path)
    assert "`y` is kept" in result.output
    assert "line 3" not in result.output
