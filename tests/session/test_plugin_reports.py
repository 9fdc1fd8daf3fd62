"""Reports for an LMS as a run of pytest writes them: files, terminal, exit codes, `--junitxml`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from consumers import coderunner, github, gradescope, junit, lms, markdown, prairielearn, vpl
from hostile import harmful
from plugin_samples import RIGHT, WRONG, Run, bank, grade_folder, lay_out, run_pytest

from pytest_backprop.reports import SINGLE

RUBRIC = (
    '[checks.release]\nvisibility = "hidden"\n[checks.forward]\nvisibility = "after_due_date"\n'
)
ROSTER = (
    "student,submission,variant,id,email\n"
    "Ann,ann.py,v1,7,ann@uni.example\n"
    "Пётр Ёжиков,Ёжиков.py,v1,,PETR@uni.example\n"
    "Zoe,zoe.py,v1,9,\n"
)
EXPORT = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework 3 (12)\n"
    "    Points Possible,,,,,50\n"
    "Ann,101,7,ann@uni.example,A,\n"
    "Ёжиков Пётр,102,S8,petr@uni.example,A,\n"
    "Vera,103,S9,vera@uni.example,A,\n"
)
LOUD = RIGHT.replace(
    "        a = w0 * x1\n",
    "        raise ValueError('\\x1b[2J\\x00]]>\\n::error::x\\n=1+1 Grade :=>>100 <b>Ж' * 30_000)\n",
)
"""A megabyte that would act on whoever reads it."""
CLASS: dict[str, str | bytes] = {
    "loud_v1.py": LOUD,
    "ann.py": RIGHT,
    "Ёжиков.py": WRONG,
    "stranger_v1.py": RIGHT,
    "broken_v1.py": "def",
}
FORMATS = ("csv", "csv-canvas", "csv-moodle", "markdown", "github-annotations")


@pytest.fixture(
    scope="module",
    params=[(), pytest.param(("--backprop-executor=local:2",), marks=pytest.mark.long)],
    ids=["plain", "two at a time"],
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A class, with hidden checks, in every format that is on a class."""
    folder = tmp_path_factory.mktemp("class")
    lay_out(folder, {"rubric.toml": RUBRIC, "roster.csv": ROSTER, "export.csv": EXPORT})
    reports = [f"--backprop-report={format}:{format}" for format in FORMATS]
    done = grade_folder(
        folder,
        CLASS,
        *reports,
        "--junitxml=junit.xml",
        "--backprop-roster=roster.csv",
        "--backprop-rubric=rubric.toml",
        "--backprop-gradebook=export.csv",
        *request.param,
    )
    assert done.code == pytest.ExitCode.TESTS_FAILED, done.out + done.err
    return done


def text(run: Run, format: str) -> str:
    return (run.folder / format).read_text(encoding="utf-8")


def test_the_json_report_has_ids_and_visibilities(run: Run) -> None:
    ann = run.by_name["ann.py"]
    assert (ann["student_id"], ann["email"]) == ("7", "ann@uni.example")
    assert {c["id"]: c["visibility"] for c in ann["checks"]} == {
        "forward": "after_due_date",
        "manual-forward": "visible",
        "gradient": "visible",
        "unused-nodes": "visible",
        "release": "hidden",
        "integrity": "visible",
    }
    assert run.by_name["stranger_v1.py"]["student_id"] is None


def test_csv_has_every_submission(run: Run) -> None:
    header, *rows = lms.rows_of(text(run, "csv"))
    found = {Path(row[0]).name: dict(zip(header, row, strict=True)) for row in rows}
    assert {name: row["score"] for name, row in found.items()} == {
        "ann.py": "100",
        "Ёжиков.py": "78",
        "stranger_v1.py": "100",
        "broken_v1.py": "0",
        "loud_v1.py": "15",
    }
    assert "release" not in header
    assert found["broken_v1.py"]["status"] == "unreadable"


def test_the_gradebook_is_filled_in_and_the_rest_is_told(run: Run) -> None:
    students = (
        {"name": "Ann", "id": "101"},
        {"name": "Пётр", "id": "102"},
        {"name": "V", "id": "103"},
    )
    found = lms.canvas(text(run, "csv-canvas"), students, {"12": "Homework 3"})
    assert found["grades"] == {"Homework 3": {"Ann": "100", "Пётр": "78"}}
    told = run.section("backprop")
    assert "2 grades are filled in in the gradebook export.csv" in told
    assert "no new grade in the gradebook: Vera" in told
    assert "the gradebook's column is worth 50 points, the rubric 100" in told
    left = [line for line in told if line.startswith("not in the gradebook: ")]
    assert sorted(Path(line.split()[4]).name for line in left) == [
        "broken_v1.py",
        "loud_v1.py",
        "stranger_v1.py",
    ]
    assert (run.folder / "export.csv").read_text(encoding="utf-8") == EXPORT


def test_a_preset_leaves_out_whom_nobody_knows_and_tells(run: Run) -> None:
    rows = lms.rows_of(text(run, "csv-moodle"))
    assert sorted(row[:2] for row in rows[1:]) == [
        ["-", "PETR@uni.example"],
        ["7", "ann@uni.example"],
    ]
    told = [line for line in run.section("backprop") if "is not in csv-moodle" in line]
    assert len(told) == 3


def test_other_formats_are_taken(run: Run) -> None:
    rendered = markdown.accept(text(run, "markdown"))
    assert len(rendered.cells) == 6
    errors = [a for a in github.commands(text(run, "github-annotations")) if a["name"] == "error"]
    line = WRONG.split("\n").index("        dw1 = a * x3") + 1
    assert {(Path(a["file"]).name, a.get("line")) for a in errors} >= {("Ёжиков.py", str(line))}


@pytest.mark.parametrize("format", FORMATS)
def test_hidden_checks_are_in_none_of_them(run: Run, format: str) -> None:
    assert "release" not in text(run, format)


def test_a_megabyte_of_a_students_is_cut_and_does_nothing(run: Run) -> None:
    for format in FORMATS:
        assert harmful(text(run, format)) == []
        assert len(text(run, format)) < 200_000
    assert "ValueError" in text(run, "csv-moodle") + text(run, "markdown")
    found = github.commands(text(run, "github-annotations"))
    assert {command["name"] for command in found} == {"error", "notice"}  # faults, and where
    assert all("file" in command for command in found)


def test_junit_has_no_hidden_check(run: Run) -> None:
    suite = junit.accept(run.folder / "junit.xml")
    names = {case.get("name") for case in suite.findall("testcase")}
    assert names == {"manual-forward", "gradient", "unused-nodes", "integrity"}
    assert len(suite.findall("testcase")) == 20


# -- one submission -------------------------------------------------------------------------------

ALL = [f"--backprop-report={format}:out/{format}" for format in sorted(SINGLE)]


def single(folder: Path, name: str) -> str:
    return (folder / "out" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("alone")
    lay_out(folder, {"rubric.toml": RUBRIC})
    return grade_folder(folder, {"a_v1.py": WRONG}, *ALL, "--backprop-rubric=rubric.toml")


def test_one_submission_in_every_format(alone: Run) -> None:
    assert alone.code == pytest.ExitCode.TESTS_FAILED
    told = gradescope.accept(single(alone.folder, "gradescope"))
    assert told["score"] == 78
    assert {test["name"]: test["visibility"] for test in told["tests"]}["release"] == "hidden"
    assert prairielearn.accept(single(alone.folder, "prairielearn"))["score"] == 0.78
    assert vpl.grade(single(alone.folder, "moodle-vpl")) == "78"
    assert coderunner.accept(single(alone.folder, "coderunner"))["fraction"] == 0.78
    assert github.accept(single(alone.folder, "github-classroom"))["posted"] == (78, 100)


def test_no_submission_still_leaves_the_files_that_somebody_waits_for(tmp_path: Path) -> None:
    lay_out(tmp_path, bank())
    (tmp_path / "class").mkdir()
    run = run_pytest(tmp_path, "--backprop", "class", "--backprop-report=json:r.json", *ALL)
    assert run.code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "no .py or .ipynb file" in gradescope.accept(single(tmp_path, "gradescope"))["output"]
    assert not prairielearn.accept(single(tmp_path, "prairielearn"))["gradable"]
    assert vpl.grade(single(tmp_path, "moodle-vpl")) == "0"
    assert coderunner.accept(single(tmp_path, "coderunner"))["fraction"] == 0
    assert github.accept(single(tmp_path, "github-classroom"))["posted"] is None
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    "more",
    [(), pytest.param(("--backprop-executor=local:2",), marks=pytest.mark.long)],
    ids=["plain", "two at a time"],
)
def test_several_submissions_are_refused_before_one_is_graded(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    lay_out(tmp_path, {**bank(), "class/a_v1.py": RIGHT, "class/b_v1.py": RIGHT})
    report = "--backprop-report=gradescope:results.json"
    run = run_pytest(tmp_path, "--backprop", "class", report, *more)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "gradescope is a report on one submission, but there are 2" in run.told
    assert "give the path of one file" in run.told
    assert not (tmp_path / "results.json").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--backprop-gradebook=export.csv"], "export.csv is Canvas's, and no report fills it in"),
        (
            ["--backprop-gradebook=export.csv", "--backprop-report=csv-moodle:m.csv"],
            "csv-canvas:PATH",
        ),
        (["--backprop-gradebook-column=H"], "but there is no gradebook"),
        (
            ["--backprop-gradebook=export.csv", "--backprop-report=csv-canvas:export.csv"],
            "would take the place of the gradebook",
        ),
        (["--backprop-gradebook=none.csv", "--backprop-report=csv-canvas:m.csv"], "No such file"),
    ],
)
def test_a_gradebook_is_looked_at_before_grading(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    lay_out(tmp_path, {**bank(), "class/a_v1.py": RIGHT, "export.csv": EXPORT})
    run = run_pytest(tmp_path, "--backprop", "class", *arguments)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert says in run.told
    assert (tmp_path / "export.csv").read_text(encoding="utf-8") == EXPORT


def test_the_report_of_one_submission_is_in_the_students_language(tmp_path: Path) -> None:
    lay_out(tmp_path, {**bank(), "class/a_v1.py": "def"})
    report = "--backprop-report=gradescope:results.json"
    run_pytest(tmp_path, "--backprop", "class", report, "--backprop-lang=ru")
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert "строка" in json.dumps(told, ensure_ascii=False)
