"""An assignment's file: what it says, what is refused, and how grades of parts become one."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_checks import check, grade

from pytest_backprop.errors import UsageProblem
from pytest_backprop.grading.assignment import Part, read_parts
from pytest_backprop.grading.grades import joined
from pytest_backprop.grading.rubric import default_rubric, load_rubrics
from pytest_backprop.model import COURSE_KIND, Finding, Status

TASKS = {
    "v1.py": 'EXERCISE = "layer"\n\ndef v1(x: Float[Tensor, "n"]):\n    return x.exp()\n',
    "v8.py": "def v8():\n  return w0 * x1\n",
}
LINEAR = '[[part]]\nname = "linear"\ntask = "v1"\npoints = 20\n'
HOMEWORK = '[[part]]\nname = "homework"\ntask = "v08"\npoints = 0.5\nclass = "Net"\n'


def parts_of(folder: Path, text: str | bytes | None, rubric: str = "") -> tuple[Part, ...]:
    tasks = folder / "tasks"
    tasks.mkdir()
    for name, task in TASKS.items():
        (tasks / name).write_text(task)
    for name, content in {"a3.toml": text, "rubric.toml": rubric}.items():
        if content:
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    files = (
        folder / "a3.toml" if text is not None else None,
        folder / "rubric.toml" if rubric else None,
    )
    return read_parts(tasks, COURSE_KIND, default_rubric, *files)


def test_parts_are_of_the_kind_of_their_tasks_and_of_their_worth(tmp_path: Path) -> None:
    linear, homework = parts_of(tmp_path, LINEAR + HOMEWORK)
    assert (linear.name, linear.task, linear.kind, linear.points) == ("linear", "v1", "layer", 20)
    assert {id: r.points for id, r in linear.rubric.rules.items()} == {
        "forward": 6, "gradient": 12, "unused-nodes": 2, "integrity": 0,
    }  # fmt: skip
    assert (homework.task, homework.class_name, homework.kind) == ("v8", "Net", COURSE_KIND)
    assert homework.points == pytest.approx(0.5)
    assert homework.checks[0] == "homework/forward"
    assert "homework/onnx" not in homework.checks


def test_without_a_file_there_is_a_part_for_each_kind(tmp_path: Path) -> None:
    parts = parts_of(tmp_path, None)
    assert [(p.name, p.kind, p.points) for p in parts] == [
        ("", COURSE_KIND, 100), ("", "layer", 100),
    ]  # fmt: skip


BAD: dict[str, tuple[str | bytes, str, str]] = {
    "no TOML": ("[[part]\n", "is not TOML", "toml.io"),
    "empty": ("# nothing\n", "assignment", "docs/assignments.md"),
    "no parts": ("part = []\n", "part", "docs/assignments.md"),
    "unknown key above": ('title = "A3"\n' + LINEAR, "unknown field `title`", "known: part"),
    "unknown key": (f"{LINEAR}pionts = 3\n", "part linear: Object contains unknown field `pionts`",
                    "known: name, task, points, class, function"),
    "no task": ('[[part]]\nname = "linear"\npoints = 2\n', "part linear: Object missing required field `task`", ""),
    "no name": ('[[part]]\ntask = "v1"\npoints = 2\n', "part 1: Object missing required field `name`", ""),
    "task not there": (LINEAR.replace("v1", "v77"), "part linear: there is no task 'v77' in tasks/", "known: v1, v8"),
    "points 0": (LINEAR.replace("20", "0"), "part linear: Expected `float` > 0", ""),
    "points -1": (LINEAR.replace("20", "-1"), "part linear: Expected `float` > 0", ""),
    "points nan": (LINEAR.replace("20", "nan"), "part linear", ""),
    "points text": (LINEAR.replace("20", '"20"'), "part linear: Expected `float`, got `str`", ""),
    "two of a name": (LINEAR + LINEAR, "part linear: another part has that name", "give each its own"),
    "a name of letters": (LINEAR.replace('"linear"', '"Linear/1"'), "name is 'Linear/1'", "docs/assignments.md"),
    "a name of lines": (LINEAR.replace('"linear"', '"linear\\n"'), "at `$.name`", "docs/assignments.md"),
    "both": (f'{LINEAR}class = "A"\nfunction = "b"\n', "part linear: it has a class and a function", "one of them"),
    "no identifier": (f'{LINEAR}class = "a b"\n', "class is 'a b'", "docs/assignments.md"),
    "no text": (b"name = '\xcf\xf0'", "not UTF-8", "UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_wrong_is_refused_with_the_way_out(kind: str, tmp_path: Path) -> None:
    text, told, way_out = BAD[kind]
    with pytest.raises(UsageProblem) as refused:
        parts_of(tmp_path, text)
    assert told in refused.value.message
    assert way_out in refused.value.way_out
    assert "a3.toml" in refused.value.message


def test_a_folder_with_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v2.py").write_text('EXERCISE = "layre"\n')
    with pytest.raises(UsageProblem, match="there is no kind of exercise 'layre'"):
        read_parts(tmp_path, COURSE_KIND, default_rubric)


# -- a rubric's file ----------------------------------------------------------------------------


def test_a_table_is_for_all_parts_and_one_of_a_part_has_the_last_word(tmp_path: Path) -> None:
    text = '[checks."linear/gradient"]\npoints = 10\n[checks.gradient]\npoints = 0\n'
    linear, homework = parts_of(tmp_path, LINEAR + HOMEWORK, text)
    assert linear.rubric.rules["gradient"].points == 20 * 10 / 50
    assert homework.rubric.rules["gradient"].points == 0
    assert (linear.points, homework.points) == (pytest.approx(20), pytest.approx(0.5))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[checks."lineer/gradient"]\npoints = 1\n', "[checks.lineer/gradient]: unknown check"),
        ('[checks."linear/release"]\npoints = 1\n', "[checks.linear/release]: unknown check"),
        ('[checks."linear/gradient"]\nfollow_through = 1.0\n', "follow_through has no effect"),
        (
            "".join(
                f'[checks."linear/{id}"]\npoints = 0\n'
                for id in ("forward", "gradient", "unused-nodes")
            ),
            "every check of the part linear is worth 0 points",
        ),
    ],
)
def test_a_rubric_that_is_wrong_for_a_part(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem) as refused:
        parts_of(tmp_path, LINEAR + HOMEWORK, text)
    assert told in refused.value.message


def test_what_has_an_effect_on_one_part_is_no_mistake(tmp_path: Path) -> None:
    _, homework = parts_of(tmp_path, LINEAR + HOMEWORK, "[checks.gradient]\nfollow_through = 0.5\n")
    assert homework.rubric.rules["gradient"].follow_through == 0.5


def test_one_rubric_is_read_as_before(tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text("[checks.forward]\npoints = 1\n")
    (one,) = load_rubrics(tmp_path / "rubric.toml", [("", default_rubric())])
    assert one.rules["forward"].points == 1


# -- grades -------------------------------------------------------------------------------------

A, B = (Part(COURSE_KIND, default_rubric(), name, "v1") for name in ("a", "b"))
LOST = check("forward", 0.0, 10, outcome="not_judged")


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        (("graded", "graded"), "graded"),
        (("unreadable", "graded"), "graded"),
        (("grader_error", "graded"), "graded"),
        (("grader_error", "timeout"), "timeout"),
        (("not_judged", "grader_error"), "not_judged"),
        (("crashed", "crashed"), "crashed"),
    ],
)
def test_how_parts_ended_together(statuses: tuple[Status, Status], status: Status) -> None:
    grades = [
        grade("a.py", check("forward", of=10) if each == "graded" else LOST, status=each,
              message="" if each == "graded" else f"it {each}")
        for each in statuses
    ]  # fmt: skip
    whole = joined((A, B), grades)
    assert whole.status == status
    assert [part.status for part in whole.parts] == list(statuses)
    assert (whole.score, whole.max_score) == (10 * statuses.count("graded"), 20)
    if status == "graded":
        assert whole.message == ""
    elif statuses[0] == statuses[1]:
        assert whole.message == f"it {status}"
    else:
        assert whole.message == f"a: it {statuses[0]}; b: it {statuses[1]}"


def test_findings_stay_with_their_parts() -> None:
    fault = Finding("wrong-value", "no")
    one = grade("a.py", check("forward", 0.0, 10, findings=(fault,)), notes=("seen",))
    whole = joined((A, B), (one, one))  # the same mistake twice is two
    assert [len(c.result.findings) for c in whole.checks] == [1, 1]
    assert [c.result.id for c in whole.checks] == ["a/forward", "b/forward"]
    assert whole.notes == ("a: seen", "b: seen")
