"""Assignments of several parts, from pytest: items, points, reports, resuming; tasks of several kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from consumers import coderunner, github, gradescope, junit, lms, markdown, prairielearn, vpl
from plugin_samples import RIGHT, WRONG, Run, lay_out, notebook, run_pytest

from pytest_backprop.reports import SINGLE

LINEAR_TASK = """\
EXERCISE = "layer"
CALLS = "Linear"


def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return x @ w + b
"""
RELU_TASK = """\
EXERCISE = "layer"


def v2(x: Float[Tensor, "n d"]):
    return torch.relu(x)
"""
HOMEWORK = "def v8():\n  r1 = w0 * x1\n  r2 = w1 * x2\n  return r1 * r2 + x3\n"
OTHER = "def v9():\n  return w0 * x1 + w1 * x2 * x3\n"
TASKS: dict[str, str | bytes] = {
    "tasks/v1.py": LINEAR_TASK, "tasks/v2.py": RELU_TASK, "tasks/v8.py": HOMEWORK, "tasks/v9.py": OTHER,
}  # fmt: skip
ASSIGNMENT = """\
[[part]]
name = "linear"
task = "v1"
points = 20

[[part]]
name = "relu"
task = "v2"
points = 10
class = "ReLU"

[[part]]
name = "homework"
task = "v8"
points = 30
"""
LINEAR = """\
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        return x.mm(w) + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout.mm(w.t()), x.t().mm(dout), dout.sum(0)


"""
RELU = """\
class ReLU(object):
    @staticmethod
    def forward(x):
        return x.clamp(min=0), x

    @staticmethod
    def backward(dout, cache):
        dx = dout.clone()
        dx[cache < 0] = 0
        return dx


"""
ENGINE = """\
        with torch.enable_grad():
            x = cache.clone().requires_grad_()
            dx = torch.autograd.grad(x.clamp(min=0), x, dout)[0]
"""
ALL = LINEAR + RELU + RIGHT
CLASS: dict[str, str | bytes] = {
    "class/all.py": ALL,
    "class/book.ipynb": notebook(LINEAR, RELU, RIGHT, "1 / 0"),
    "class/wrong.py": (LINEAR + RELU + WRONG).replace("dout.sum(0)", "dout"),
    "class/missing.py": LINEAR + RIGHT,
    "class/broken.py": f"{ALL}class (\n",
    "class/engine.py": ALL.replace("        dx = dout.clone()\n", ENGINE),
}
GRADE = (
    "--backprop", "--backprop-assignment=a3.toml", "--backprop-variants=tasks",
    "--backprop-report=json:report.json",
)  # fmt: skip
FORMATS = ("csv", "csv-canvas", "csv-moodle", "markdown", "github-annotations", "html", "feedback")
IDS = [
    *(f"{part}/{check}" for part in ("linear", "relu")
      for check in ("forward", "gradient", "unused-nodes", "integrity")),
    *(f"homework/{check}" for check in
      ("forward", "manual-forward", "gradient", "unused-nodes", "release", "integrity")),
]  # fmt: skip


def grade_parts(folder: Path, *words: str, **files: str | bytes) -> Run:
    lay_out(folder, TASKS | {"a3.toml": ASSIGNMENT} | files)
    return run_pytest(folder, *GRADE, *words)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("parts")
    lay_out(folder, CLASS | {"roster.csv": "student,submission,id\nAnn,all.py,7\nZoe,zoe.py,9\n"})
    reports = [f"--backprop-report={format}:out.{format}" for format in FORMATS]
    done = grade_parts(
        folder, "class", *reports, "--backprop-roster=roster.csv", "--junitxml=junit.xml", "-v"
    )
    assert done.code == pytest.ExitCode.TESTS_FAILED, done.out + done.err
    return done


# -- grades -------------------------------------------------------------------------------------


def scores(run: Run, name: str) -> dict[str, float]:
    return {part["name"]: part["score"] for part in run.by_name[name]["parts"]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("all.py", (20, 10, 30)),
        ("book.ipynb", (20, 10, 30)),
        ("wrong.py", (20 - 4, 10, 30 * 0.78)),  # a third of linear's gradient, 60 of its 100 points
        ("missing.py", (20, 0, 30)),
        ("broken.py", (0, 0, 0)),
        ("engine.py", (20, 3, 30)),  # a pass that is not manual costs its own part, but for forward
    ],
)
def test_each_part_is_graded_by_itself(run: Run, name: str, expected: tuple[float, ...]) -> None:
    told = run.by_name[name]
    assert tuple(scores(run, name).values()) == pytest.approx(expected)
    assert told["score"] == pytest.approx(sum(expected))
    assert told["max_score"] == 60
    assert [check["id"] for check in told["checks"]] == IDS
    assert [check["part"] for check in told["checks"]] == [id.partition("/")[0] for id in IDS]


def test_a_part_that_is_missing_costs_that_part_and_says_why(run: Run) -> None:
    told = run.by_name["missing.py"]
    assert told["status"] == "graded"
    assert [part["status"] for part in told["parts"]] == ["graded", "unreadable", "graded"]
    assert "ReLU" in told["parts"][1]["message"]
    failed = [check for check in told["checks"] if check["outcome"] == "failed"]
    assert {check["part"] for check in failed} == {"relu"}
    assert [len(check["findings"]) for check in failed] == [1, 0, 0, 0]
    section = "\n".join(run.section("FAILURES"))
    assert section.count("there is no class `ReLU`") == 1


def test_a_fault_of_the_whole_file_is_told_once(run: Run) -> None:
    told = run.by_name["broken.py"]
    assert told["status"] == "unreadable"
    assert "is not Python" in told["message"]
    assert [len(check["findings"]) for check in told["checks"]] == [1] + [0] * (len(IDS) - 1)
    assert {part["status"] for part in told["parts"]} == {"unreadable"}


def test_findings_point_at_lines_of_the_file(run: Run) -> None:
    (finding,) = run.check("wrong.py", "linear/gradient")["findings"]
    assert (finding["path"], finding["kind"]) == ("class/wrong.py", "wrong-shape")
    assert finding["line"] == 10
    told = run.check("wrong.py", "homework/gradient")
    assert (told["score"], told["max_score"]) == (6, 12)
    assert run.check("engine.py", "relu/integrity")["outcome"] == "failed"
    assert run.check("engine.py", "relu/gradient")["message"].startswith("not counted")


# -- what is shown ------------------------------------------------------------------------------


def test_what_parts_are_worth_is_told_at_once(run: Run) -> None:
    text = " ".join(run.out.split())
    assert (
        "60 points: linear 20 (v1, layer), relu 10 (v2, layer), homework 30 (v8, forward-backward)"
        in text
    )


def test_the_terminal_tells_what_each_part_earned_in_80_columns(run: Run) -> None:
    lines = run.section("backprop")
    assert "    linear 16/20, relu 10/10, homework 23.4/30" in lines
    assert not any("variant" in line for line in lines)
    own = [line for line in lines if "generated xml file" not in line]  # pytest's, with its path
    assert [line for line in own if len(line) > 80] == []
    assert "no submission from Zoe (zoe.py)" in lines


def test_every_check_of_every_part_is_an_item(run: Run, tmp_path: Path) -> None:
    assert "class/all.py::linear/gradient PASSED" in run.out
    assert (
        f"{len(IDS)} tests collected"
        in grade_parts(tmp_path, "--collect-only", "class", **{"class/all.py": ALL}).out
    )
    one = run_pytest(tmp_path, *GRADE, "class/all.py::relu/gradient")
    assert one.code == pytest.ExitCode.OK, one.out
    assert "1 passed" in one.out
    none = run_pytest(tmp_path, *GRADE, "class/all.py::gradient")
    assert none.code == pytest.ExitCode.USAGE_ERROR
    assert "not found: class/all.py::gradient" in none.told


def test_reports_on_a_class(run: Run) -> None:
    def text(name: str) -> str:
        return (run.folder / name).read_text(encoding="utf-8")

    header = text("out.csv").splitlines()[0].split(",")
    assert [name for name in header if "/" in name] == IDS
    students = [{"id": "101", "sis_user_id": "7", "login_id": "", "name": "Ann"}]
    assert lms.canvas(text("out.csv-canvas"), students, {})
    markdown.accept(text("out.markdown"))
    assert "`relu/forward`" in text("out.markdown")
    assert "title=backprop%3A relu/forward" in text("out.github-annotations")
    names = {case.get("name") for case in junit.accept(run.folder / "junit.xml").iter("testcase")}
    assert names == set(IDS)
    (page,) = (run.folder / "out.html" / "students").glob("*wrong*")
    shown = page.read_text(encoding="utf-8")
    assert shown.index("linear · v1") < shown.index("relu · v2") < shown.index("homework · v8")
    assert "Computation graph · linear" in shown
    feedback = [
        path.read_text(encoding="utf-8") for path in (run.folder / "out.feedback").glob("*.md")
    ]
    assert any("`relu/integrity`" in each for each in feedback)


READERS: dict[str, Any] = {
    "gradescope": gradescope, "github-classroom": github, "prairielearn": prairielearn,
    "moodle-vpl": vpl, "coderunner": coderunner,
}  # fmt: skip


def test_reports_on_one_submission(tmp_path: Path) -> None:
    assert set(READERS) == SINGLE
    reports = [f"--backprop-report={format}:out.{format}" for format in SINGLE]
    files = {"class/missing.py": CLASS["class/missing.py"]}
    grade_parts(tmp_path, "class/missing.py", *reports, **files)
    for format, reader in READERS.items():
        text = (tmp_path / f"out.{format}").read_text(encoding="utf-8")
        assert "relu/gradient" in text
        if hasattr(reader, "accept"):
            reader.accept(text)
    assert json.loads((tmp_path / "out.gradescope").read_text())["score"] == 50
    assert vpl.grade((tmp_path / "out.moodle-vpl").read_text()) == "50"


# -- rubric, journal ----------------------------------------------------------------------------

RUBRIC = """\
[checks.gradient]
points = 0
[checks."homework/gradient"]
points = 20
[checks."linear/forward"]
visibility = "hidden"
[late]
due = 2020-01-01T00:00:00Z
penalty = 0.5
"""


def test_a_rubric_changes_shares_and_never_the_total(tmp_path: Path) -> None:
    roster = "student,submission,submitted\nAnn,all.py,2020-01-01T12:00:00Z\n"
    run = grade_parts(
        tmp_path, "class", "--backprop-rubric=rubric.toml", "--backprop-roster=roster.csv",
        "--junitxml=junit.xml",
        **{"class/all.py": ALL, "rubric.toml": RUBRIC, "roster.csv": roster},
    )  # fmt: skip
    told = run.by_name["all.py"]
    assert (told["max_score"], told["score"]) == (60, 30)  # late once, of the whole
    assert told["late"]["deduction"] == 30
    most = {check["id"]: check["max_score"] for check in told["checks"]}
    assert (most["linear/forward"], most["linear/gradient"]) == (15, 0)  # 30 of 40
    assert most["homework/gradient"] == pytest.approx(30 * 20 / 80)
    assert run.check("all.py", "linear/forward")["visibility"] == "hidden"
    xml = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert "relu/forward" in xml
    assert "linear/forward" not in xml


def test_a_journal_knows_the_assignment(tmp_path: Path) -> None:
    first = grade_parts(tmp_path, "class", **{"class/all.py": ALL})
    again = grade_parts(tmp_path, "class", "--backprop-resume")
    assert again.by_name["all.py"]["taken_from"] == "journal"
    assert again.by_name["all.py"]["parts"] == first.by_name["all.py"]["parts"]
    dearer = ASSIGNMENT.replace("points = 10", "points = 40")
    lay_out(tmp_path, {"a3.toml": dearer})
    more = run_pytest(tmp_path, *GRADE, "class", "--backprop-resume")
    assert (more.by_name["all.py"]["taken_from"], more.by_name["all.py"]["score"]) == (None, 90)
    assert "the rubric changed" in more.out
    lay_out(tmp_path, {"a3.toml": dearer.replace('"v8"', '"v9"')})
    other = run_pytest(tmp_path, *GRADE, "class", "--backprop-resume")
    assert "the variant changed" in other.out
    assert scores(other, "all.py")["homework"] < 30


# -- the student's own variant ------------------------------------------------------------------


def test_a_part_may_be_the_students_own_variant(tmp_path: Path) -> None:
    own = ASSIGNMENT.replace('"v8"', '"variant"')
    files = {"class/ann_v8.py": ALL, "class/bob_v1.py": ALL, "class/eve.py": ALL}
    run = grade_parts(tmp_path, "class", **{"a3.toml": own, **files})
    ann, bob, eve = (run.by_name[name] for name in ("ann_v8.py", "bob_v1.py", "eve.py"))
    assert (ann["variant"], ann["score"], ann["max_score"]) == ("v8", 60, 60)
    # of another kind: another exercise, of the same worth
    assert (bob["variant"], bob["score"], bob["max_score"]) == ("v1", 60, 60)
    assert [c["id"] for c in bob["checks"]][8:] == [
        f"homework/{check}" for check in ("forward", "gradient", "unused-nodes", "integrity")
    ]
    # what nobody knows is not judged, and no zero; the other parts are
    assert (eve["status"], eve["variant"], eve["score"]) == ("graded", None, 30)
    assert [part["status"] for part in eve["parts"]] == ["graded", "graded", "not_judged"]
    lost = [check for check in eve["checks"] if check["part"] == "homework"]
    assert {check["outcome"] for check in lost} == {"not_judged"}
    again = run_pytest(tmp_path, *GRADE, "class", "--backprop-resume")
    taken = {name: told["taken_from"] for name, told in again.by_name.items()}
    assert taken == {"ann_v8.py": "journal", "bob_v1.py": "journal", "eve.py": None}


def test_without_an_assignment_each_task_says_its_kind(tmp_path: Path) -> None:
    roster = "student,submission,variant\nAnn,ann.py,v8\nBob,bob.py,v1\nEve,eve.py,v2\n"
    lay_out(tmp_path, TASKS | {f"class/{name}.py": ALL for name in ("ann", "bob", "eve")})
    lay_out(tmp_path, {"roster.csv": roster})
    run = run_pytest(
        tmp_path, "--backprop", "class", "--backprop-variants=tasks", GRADE[-1],
        "--backprop-roster=roster.csv",
    )  # fmt: skip
    assert run.code == pytest.ExitCode.OK, run.out + run.err
    assert {name: told["score"] for name, told in run.by_name.items()} == {
        "ann.py": 100, "bob.py": 100, "eve.py": 100,
    }  # fmt: skip
    assert len(run.by_name["ann.py"]["checks"]) == 6
    assert len(run.by_name["bob.py"]["checks"]) == 4
    assert run.report["settings"]["kind"] == "forward-backward, layer"
    layers = run_pytest(
        tmp_path, "--backprop", "class", "--backprop-variants=tasks", "--backprop-kind=layer",
        "--backprop-variant=v2", "--collect-only",
    )  # fmt: skip
    assert "12 tests collected" in layers.out


def test_files_of_parts_are_one_submission_with_one_that_imports_them(tmp_path: Path) -> None:
    files = {"linear.py": LINEAR, "relu.py": RELU}
    own = files | {"main.py": f"from linear import Linear\nfrom relu import ReLU\n{RIGHT}"}
    students = {f"class/{who}/{name}": own[name] for who in ("ann", "bob") for name in own}
    run = grade_parts(tmp_path, "class", **students)
    scores = {each["path"]: each["score"] for each in run.report["submissions"]}
    assert scores == {"class/ann/main.py": 60, "class/bob/main.py": 60}


# -- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--backprop-variant=v8",), "no part of the assignment is the student's own variant"),
        (("--backprop-assignment=none.toml",), "none.toml"),
        (("--backprop-report=csv:a3.toml",), "a3.toml"),
    ],
)
def test_what_cannot_be_is_a_usage_error(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    run = grade_parts(tmp_path, "class", *words, **{"class/all.py": ALL})
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert told in run.told
    assert (tmp_path / "a3.toml").read_text() == ASSIGNMENT
