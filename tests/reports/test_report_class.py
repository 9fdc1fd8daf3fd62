"""The reports on a class: CSV and its presets, Markdown, annotations; each by its consumer."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from consumers import github, lms, markdown
from hostile import HOSTILE, harmful
from hypothesis import given, strategies as st
from report_checks import LATE, PLACE, check, grade, texts
from report_documents import (
    MANY,
    SECRET,
    SITUATIONS,
    documents,
    not_judged,
    of,
    one,
    situation,
    unreadable,
)

from pytest_backprop.model import Finding
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.csv_report import guarded, table
from pytest_backprop.reports.document import Document

FORMATS = ("csv", "csv-canvas", "csv-moodle", "markdown", "github-annotations")
every = pytest.mark.parametrize("name", SITUATIONS)


def rows(document: Document, format: str = "csv") -> list[dict[str, str]]:
    header, *found = lms.rows_of(RENDERERS[format](document))
    assert all(len(row) == len(header) for row in found)
    return [dict(zip(header, row, strict=True)) for row in found]


@pytest.mark.parametrize("format", FORMATS)
@every
def test_a_report_is_small_and_harmless(format: str, name: str) -> None:
    text = RENDERERS[format](situation(name))
    assert harmful(text) == []
    assert len(text.encode()) <= 1_000_000
    assert SECRET not in text


@pytest.mark.parametrize("format", FORMATS)
@given(document=documents)
def test_of_any_document_the_consumer_takes_the_report(format: str, document: Document) -> None:
    text = RENDERERS[format](document)
    assert harmful(text) == []
    if format == "markdown":
        markdown.accept(text)
    elif format == "github-annotations":
        assert len(github.commands(text)) == text.count("\n")
    else:
        assert not [c for row in lms.rows_of(text) for c in row if lms.formula(c)]


# -- CSV ------------------------------------------------------------------------------------------


def test_csv_has_a_row_a_submission_and_a_column_a_check() -> None:
    first, second, third = rows(MANY)
    assert first["submission"] == "a.ipynb"
    assert (first["student"], first["id"], first["email"]) == ("Ann", "7", "ann@uni.example")
    assert (first["score"], first["max_score"], first["release"]) == ("88", "100", "8")
    assert (second["status"], second["score"], second["forward"]) == ("grader_error", "", "")
    assert (third["status"], third["score"], third["forward"]) == ("unreadable", "0", "0")
    assert third["remarks"] == "line 3 is not Python"


@pytest.mark.parametrize("name", ["hidden", "all hidden", "after due date"])
def test_csv_totals_have_the_points_of_hidden_checks(name: str) -> None:
    (row,) = rows(situation(name))
    assert float(row["score"]) == situation(name).submissions[0].score
    assert SECRET not in row


CELLS = (
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1+1", "\t=1", "\r=1", "=HYPERLINK(\"http://x\")", "-",
    "+", "--1", "-1e", "1,2", "a,b", 'say "hi"', "line\nbreak", "'quoted", "", " ", "12", "-1", "+3.5", "1e-7",
    "-.5", "Infinity", "-inf", "nan", "００１", "-1_0", "0x10", "-0x10",
)  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
def test_no_cell_is_a_formula_and_numbers_stay(cell: str) -> None:
    guard = guarded(cell)
    assert not lms.formula(guard)
    assert guard.removeprefix("'") == cell.removeprefix("'")
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", cell, re.ASCII):
        assert guard == cell


@given(st.lists(st.lists(texts, min_size=2, max_size=2), max_size=3))
def test_csv_gives_back_what_went_in(given_rows: list[list[str]]) -> None:
    # line breaks within a cell come back as they were: the writer quotes them
    shown = [[guarded(cell) for cell in row] for row in given_rows]
    assert [row for row in lms.rows_of(table(given_rows)) if row] == [row for row in shown if row]


# -- presets --------------------------------------------------------------------------------------

STUDENTS = (
    {"name": "Ann", "id": "101", "sis": "7", "login": "ann@uni.example"},
    {"name": "Ёжиков Пётр", "id": "102", "sis": "S8", "login": "petr@uni.example"},
)


def test_canvas_takes_the_preset_and_asks_for_the_assignment() -> None:
    petr = grade("p.py", check("forward", 0.5), student="Ёжиков Пётр", student_id="S8")
    text = RENDERERS["csv-canvas"](of(one(), petr))
    found = lms.canvas(text, STUDENTS, {})
    assert found["new assignments"] == ["backprop"]
    assert found["new students"] == []
    assert found["grades"] == {"backprop": {"Ann": "88", "Ёжиков Пётр": "10"}}
    assert found["possible"] == {"backprop": "100"}


def test_canvas_has_its_own_id_where_a_file_of_its_export_says_so() -> None:
    """`ID` is looked up first: a number of the university's may be another student's there."""
    ann = grade("all.zip/lee_LATE_101_5_a.py", check("forward"), student_id="101", student="A")
    bob = grade("b_102.py", check("forward"), student_id="102", student="B")
    found = lms.rows_of(RENDERERS["csv-canvas"](of(ann, bob)))
    assert [row[:3] for row in found[2:]] == [["A", "101", ""], ["B", "", "102"]]
    read = lms.canvas(RENDERERS["csv-canvas"](of(ann, bob)), STUDENTS, {})
    assert read["grades"] == {"backprop": {"Ann": "20", "B": "20"}}
    assert read["new students"] == ["B"]


def test_canvas_gets_no_grade_where_there_is_none() -> None:
    lost = not_judged(student="Ann", student_id="7")
    found = lms.canvas(RENDERERS["csv-canvas"](of(lost)), STUDENTS, {})
    assert found["grades"] == {}


USERS = (
    {"name": "Ann", "idnumber": "7", "email": "ann@uni.example"},
    {"name": "Пётр", "idnumber": "S8", "email": "petr@uni.example"},
)


@pytest.mark.parametrize(("key", "field"), [("ID number", "idnumber"), ("Email address", "email")])
def test_moodle_takes_the_preset(key: str, field: str) -> None:
    petr = not_judged("p.py", student_id="S8", email="petr@uni.example")
    nobody = grade("nobody.py", check("forward"))
    text = RENDERERS["csv-moodle"](of(one(), petr, nobody))
    assert lms.moodle(text, USERS, "Grade", key, field) == {"Ann": 88.0}
    assert [row["Grade"] for row in rows(of(petr), "csv-moodle")] == ["-"]


def test_moodle_gives_nobody_the_grade_of_who_has_no_such_key() -> None:
    """Of an empty cell it makes the student of the row before."""
    petr = grade("p.py", check("forward", 0.5), email="petr@uni.example")
    text = RENDERERS["csv-moodle"](of(one(), petr))
    assert lms.moodle(text, USERS, "Grade", "Email address", "email") == {"Ann": 88, "Пётр": 10}
    with pytest.raises(lms.Refused, match="user '-'"):
        lms.moodle(text, USERS, "Grade", "ID number", "idnumber")
    confused = text.replace("\n-,petr", "\n,petr")
    assert lms.moodle(confused, USERS, "Grade", "ID number", "idnumber") == {"Ann": 10}


@pytest.mark.parametrize("told", ['print("a, \\"b\\"")', 'ends, in "\\', "C:\\\\", '\\\\"\\"'])
def test_moodle_reads_backslashes_before_quotes(told: str) -> None:
    late = grade("a.py", check("forward", 0.5, message=told), student_id="7", student=told)
    text = RENDERERS["csv-moodle"](of(late))
    assert lms.moodle(text, USERS, "Grade", "ID number", "idnumber") == {"Ann": 10}


def test_moodle_feedback_has_the_findings_that_students_may_see() -> None:
    (row,) = rows(of(one()), "csv-moodle")
    assert "cell 4, line 43" in row["Feedback"]


# -- Markdown -------------------------------------------------------------------------------------


@every
def test_markdown_is_our_own_markup_alone(name: str) -> None:
    rendered = markdown.accept(RENDERERS["markdown"](situation(name)))
    assert rendered.prose.startswith("backprop: graded")


def test_markdown_has_a_table_of_grades_and_what_went_wrong() -> None:
    rendered = markdown.accept(RENDERERS["markdown"](MANY))
    assert rendered.cells == [
        ["submission", "student", "variant", "score", "status"],
        ["a.ipynb", "Ann", "v8", "88 / 100", "graded"],
        ["b.py", "Ann", "v8", "– / 100", "grader error"],
        ["c.py", "Ann", "v8", "0 / 100", "unreadable"],
    ]
    assert "cell 4, line 43: dt10dt7 = t9" in rendered.code


@pytest.mark.parametrize("text", [
    "`", "``a`", "a|b", "<b>x</b>", "@maintainer", "#1", "https://x.example", "![i](u)", "[l](u)",
    "```\n# head\n```", "~~~", "| a |\n|---|", "\\`", "&lt;", "a\n\nb", "    x", "***", "\\|", "\\",
])  # fmt: skip
def test_markdown_shows_what_students_wrote_as_text(text: str) -> None:
    finding = Finding(kind="x", message=text, place=msgspec.structs.replace(PLACE, source=text))
    bad = check("release", 0.0, message=text, findings=(finding,))
    made = of(grade(f"{text}.py", bad, message=text, notes=(text,)))
    rendered = markdown.accept(RENDERERS["markdown"](made))
    assert rendered.cells[1][0] == " ".join(f"{text}.py".split())
    assert text.strip() in rendered.code


def test_markdown_counts_what_does_not_fit() -> None:
    lost = check("release", 0.0, message=HOSTILE * 20)
    many = of(*(grade(f"{n:04}{'-' * 80}.py", lost) for n in range(900)))
    text = RENDERERS["markdown"](many)
    shown = len(markdown.accept(text).cells) - 1
    assert 0 < shown < 900
    assert f"and {900 - shown} more" in text
    assert "what each lost: and 900 more" in text


# -- annotations ----------------------------------------------------------------------------------


def annotations(document: Document) -> list[dict[str, Any]]:
    return github.commands(RENDERERS["github-annotations"](document))


def test_annotations_point_at_lines_of_files_and_tell_cells() -> None:
    place = msgspec.structs.replace(PLACE, path="dir/a,b:c.py", cell=None)
    in_file = msgspec.structs.replace(LATE, place=place)
    note = msgspec.structs.replace(LATE, level="note", place=place)
    made = grade("dir/a,b:c.py", check("release", 0.0, findings=(in_file, note, LATE)))
    first, cell, warning = annotations(of(made))
    assert (first["name"], first["file"], first["line"]) == ("error", "dir/a,b:c.py", "43")
    assert first["title"] == "backprop: release"
    assert (
        first["data"] == "t9 kept after line 43 (2 late values)\nhint: write `del t9` after line 43"
    )
    assert "line" not in cell
    assert cell["data"].startswith("cell 4, line 43: t9 kept")
    assert warning["name"] == "warning"


@pytest.mark.parametrize("forged", [
    "x\n::error file=/etc/passwd::y", "x%0A::add-mask::y", "x\r\n::stop-commands::z", "::set-env::y",
    "a::b::c", "%25%0A", "##[error]x",
])  # fmt: skip
def test_no_text_of_a_submission_is_a_command_of_its_own(forged: str) -> None:
    finding = Finding(kind="x", message=forged, place=msgspec.structs.replace(PLACE, path=forged))
    made = of(grade(forged, check("release", 0.0, message=forged, findings=(finding,))))
    (command,) = annotations(made)
    assert command["name"] == "error"
    assert forged.replace("\r\n", "\n") in command["data"]


def test_annotations_are_as_many_as_github_shows() -> None:
    faults = tuple(msgspec.structs.replace(LATE, message=f"fault {n}") for n in range(50))
    made = grade("a.py", check("release", 0.0, findings=faults))
    assert len(annotations(of(made))) == 10


def test_a_submission_that_did_not_run_is_one_annotation() -> None:
    lost = [check(id, 0.0, message="line 3 is not Python") for id in ("forward", "release")]
    broken = grade("c.py", *lost, status="unreadable", message="line 3 is not Python")
    assert [a["data"] for a in annotations(of(broken))] == ["line 3 is not Python"]
    assert [a["name"] for a in annotations(of(not_judged()))] == ["warning"]
    assert len(annotations(of(unreadable()))) == 1


def test_no_submission_is_no_annotation() -> None:
    assert RENDERERS["github-annotations"](of()) == ""
