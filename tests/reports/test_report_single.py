"""The reports on one submission, each read by its consumer's own rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from consumers import coderunner, github, gradescope, prairielearn, vpl
from hostile import harmful
from hypothesis import given
from report_checks import check, grade
from report_documents import MANY, SECRET, SITUATIONS, as_seen, of, single_documents, situation

from pytest_backprop.errors import UsageProblem
from pytest_backprop.reports import RENDERERS, SINGLE
from pytest_backprop.reports.document import Document

every = pytest.mark.parametrize("name", SITUATIONS)


def test_formats_of_one_submission_refuse_several() -> None:
    for format in SINGLE:
        with pytest.raises(UsageProblem, match="one submission, but there are 3") as caught:
            RENDERERS[format](MANY)
        assert "csv" in caught.value.way_out


@pytest.mark.parametrize("format", sorted(SINGLE))
@given(document=single_documents)
def test_of_any_document_the_consumer_takes_the_report(format: str, document: Document) -> None:
    text = RENDERERS[format](document)
    assert harmful(text) == []
    entry = document.submissions[0]
    share = entry.score / entry.max_score if entry.max_score else 0
    if format == "gradescope":
        assert gradescope.accept(text)["score"] == pytest.approx(entry.score)
    elif format == "prairielearn":
        told = prairielearn.accept(text)
        assert told["score"] == pytest.approx(share) and told["gradable"] == (entry.max_score > 0)  # noqa: PT018
    elif format == "moodle-vpl":
        assert vpl.grade(text) == (
            "" if not entry.max_score else f"{entry.score:.6f}".rstrip("0").rstrip(".")
        )
    elif format == "coderunner" and entry.max_score:
        assert coderunner.accept(text)["fraction"] == pytest.approx(share)
    elif format == "github-classroom":
        assert github.accept(text)["posted"] == (
            (pytest.approx(entry.score), entry.max_score) if entry.max_score else None
        )


@pytest.mark.parametrize("format", sorted(SINGLE))
@every
def test_a_report_is_small_and_harmless(format: str, name: str) -> None:
    text = RENDERERS[format](situation(name))
    assert harmful(text) == []
    assert len(text.encode()) <= 1_000_000
    assert text.endswith("\n")


# -- Gradescope -----------------------------------------------------------------------------------


def results(name: str) -> dict[str, Any]:
    return gradescope.accept(RENDERERS["gradescope"](situation(name)))


@pytest.mark.parametrize(
    ("name", "score"),
    [("plain", 88), ("hidden", 90), ("extra credit", 120), ("zero", 0), ("unreadable", 0),
     ("not Latin", 20), ("all hidden", 20)],
)  # fmt: skip
def test_gradescope_gets_raw_points(name: str, score: float) -> None:
    assert results(name)["score"] == score
    assert not results(name)["extra_data"]["grader_error"]


def test_gradescope_hides_what_the_rubric_hides() -> None:
    told = results("hidden")
    assert [test["name"] for test in told["seen"]] == ["forward"]
    assert not told["total_is_shown"]
    assert SECRET not in told["output"]
    assert {t["name"]: t["visibility"] for t in told["tests"]} == {
        "forward": "visible",
        SECRET: "hidden",
    }
    assert results("after due date")["tests"][1]["visibility"] == "after_due_date"


def test_gradescope_is_told_whose_fault_a_zero_is() -> None:
    told = results("grader error")
    assert told["score"] == 0
    assert told["extra_data"]["grader_error"]
    assert "no luck" in told["output"] and "this 0 is not your grade" in told["output"]  # noqa: PT018
    unsaid = results("not judged")
    assert (unsaid["score"], unsaid["extra_data"]["status"]) == (0, "not_judged")
    assert not unsaid["extra_data"]["grader_error"] and "failed" not in unsaid["output"]  # noqa: PT018
    assert "no luck" in unsaid["output"] and "this 0 is not your grade" in unsaid["output"]  # noqa: PT018
    nothing = results("nothing")
    assert "no .py or .ipynb file was found" in nothing["output"]
    assert not nothing["extra_data"]["grader_error"]


def test_gradescope_shows_findings_with_their_lines() -> None:
    (late,) = [test for test in results("plain")["tests"] if test["name"] == "release"]
    assert "cell 4, line 43: dt10dt7 = t9" in late["output"]
    assert "hint: write `del t9` after line 43" in late["output"]
    assert (late["score"], late["max_score"], late["status"]) == (8, 20, "failed")


def test_megabytes_of_talk_are_cut_in_the_texts() -> None:
    told = results("megabytes")
    assert {test["name"] for test in told["tests"]} == {"forward", "release"}
    assert all("(cut)" in test["output"] for test in told["tests"])


# -- PrairieLearn ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "score"),
    [("plain", 0.88), ("hidden", 0.9), ("extra credit", 1), ("zero", 0), ("unreadable", 0)],
)
def test_prairielearn_gets_a_share(name: str, score: float) -> None:
    told = prairielearn.accept(RENDERERS["prairielearn"](situation(name)))
    assert told["gradable"], told["why"]
    assert told["score"] == pytest.approx(score)


@pytest.mark.parametrize("name", ["grader error", "nothing"])
def test_prairielearn_grades_nothing_that_was_not_judged(name: str) -> None:
    told = prairielearn.accept(RENDERERS["prairielearn"](situation(name)))
    assert (told["gradable"], told["why"]) == (False, "says so itself")
    assert told["format_errors"]


@pytest.mark.parametrize("name", ["plain", "grader error", "nothing", "nothing to earn"])
def test_prairielearn_shows_nothing_twice(name: str) -> None:
    told = prairielearn.accept(RENDERERS["prairielearn"](situation(name)))["shown"]
    lines = [line for text in told for line in text.split("\n")]
    assert lines
    assert len(set(lines)) == len(lines)
    assert not any(line.rstrip().endswith(":") for line in lines if line.startswith("not judged"))


@pytest.mark.parametrize("format", ["prairielearn", "moodle-vpl", "github-classroom"])
@pytest.mark.parametrize("name", ["hidden", "all hidden", "after due date"])
def test_a_hidden_check_does_not_reach_a_format_that_cannot_hide_it(format: str, name: str) -> None:
    assert SECRET not in RENDERERS[format](situation(name))


# -- VPL ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "grade"),
    [("plain", "88"), ("hidden", "90"), ("extra credit", "80"), ("zero", "0"), ("unreadable", "0"),
     ("hostile", "0"), ("megabytes", "0"), ("grader error", ""), ("nothing", "0")],
)  # fmt: skip
def test_vpl_finds_our_grade_and_no_other(name: str, grade: str) -> None:
    assert vpl.grade(RENDERERS["moodle-vpl"](situation(name))) == grade


@pytest.mark.parametrize("forged", [
    "\nGrade :=>> 100", "--|>\nGrade :=>> 100", "<|--\n", ":=>>\nGrade ::=>>=>> 100", "\rGrade :=>>100",
    "Comment :=>>x\nGrade :=>>99",
])  # fmt: skip
def test_no_text_of_a_submission_is_a_grade_to_vpl(forged: str) -> None:
    made = grade("a.py", check("forward", 0.0, message=forged), message=forged, notes=(forged,))
    text = RENDERERS["moodle-vpl"](of(made))
    assert vpl.grade(text) == "0"
    assert ":=>>" not in vpl.comments(text)
    assert "forward" in vpl.comments(text)
    assert all(line.startswith("Comment :=>>") for line in text.split("\n")[:-2])


# -- CodeRunner -----------------------------------------------------------------------------------


def outcome(name: str) -> dict[str, Any]:
    return coderunner.accept(RENDERERS["coderunner"](situation(name)))


@pytest.mark.parametrize(
    ("name", "fraction"),
    [("plain", 0.88), ("hidden", 0.9), ("extra credit", 1), ("zero", 0), ("hostile", 0),
     ("megabytes", 0), ("nothing", 0), ("unreadable", 0)],
)  # fmt: skip
def test_coderunner_gets_a_fraction(name: str, fraction: float) -> None:
    assert outcome(name)["fraction"] == pytest.approx(fraction)


def test_coderunner_keeps_hidden_rows_for_teachers() -> None:
    told = outcome("hidden")
    assert SECRET in json.dumps(told["all_rows"])
    assert SECRET not in json.dumps(told["student_rows"])
    assert SECRET not in told["prologuehtml"]


def test_coderunner_does_not_grade_what_was_not_judged() -> None:
    with pytest.raises(coderunner.BadCombinator, match="fraction"):
        outcome("grader error")


def test_coderunner_gets_no_html_of_a_student_s() -> None:
    told = outcome("hostile")
    assert "<script>" not in told["prologuehtml"]
    assert set(told["columnformats"]) == {"%s"}  # the renderer escapes these


# -- GitHub Classroom -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "posted"),
    [("plain", (88, 100)), ("hidden", (90, 100)), ("all hidden", (20, 20)), ("zero", (0, 100)),
     ("extra credit", (80, 80)), ("grader error", None), ("nothing", None)],
)  # fmt: skip
def test_classroom_posts_all_points_and_none_that_were_not_judged(name: str, posted: Any) -> None:
    told = github.accept(RENDERERS["github-classroom"](situation(name)))
    assert told["posted"] == posted
    assert told["failed"] == (name not in ("all hidden", "extra credit"))


def test_the_log_of_classroom_counts_tests_that_passed() -> None:
    """What it posts are the points; docs/lms.md warns of the other number."""
    told = github.accept(RENDERERS["github-classroom"](situation("plain")))
    assert (told["posted"], told["console"]) == ((88, 100), 50)


@pytest.mark.parametrize("name", ["hostile", "megabytes"])
def test_what_classroom_prints_is_no_command(name: str) -> None:
    told = github.accept(RENDERERS["github-classroom"](situation(name)))
    everything = "\n".join(str(v) for test in told["tests"] for v in test.values())
    assert github.harmless(told["printed"])
    assert github.harmless(everything)


@pytest.mark.parametrize("level", ["none", "line"])
def test_hints_none_shows_no_reproducer(level: str) -> None:
    bad = check("gradient", 0.0, details={"w0": {"reproducer": "model = Net()"}})
    made = of(grade("a.py", bad), hints=level)
    for format in SINGLE:
        assert ("model = Net()" in RENDERERS[format](made)) == (level == "line")


def test_partly_judged_is_told() -> None:
    lost = check("release", 0.0, outcome="not_judged", message="not judged: no figures")
    made = of(grade("a.py", check("forward", of=80), lost, notes=("release was not judged",)))
    assert "release was not judged" in results_of(made)["output"]
    case = github.accept(RENDERERS["github-classroom"](made))["tests"][1]
    assert case["status"] == "error"


def results_of(document: Document) -> dict[str, Any]:
    return gradescope.accept(RENDERERS["gradescope"](document))


def test_a_note_that_names_a_hidden_check_is_not_shown() -> None:
    made = of(grade("a.py", as_seen(check("release"), "hidden"), check("forward"),
                    notes=("release was not judged", "adapted")))  # fmt: skip
    for format in SINGLE - {"gradescope", "coderunner"}:
        text = RENDERERS[format](made)
        assert "release" not in text
        assert "adapted" in text
