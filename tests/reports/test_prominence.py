"""The line where a number goes wrong leads in every report; where it is stored, it is not marked."""

from __future__ import annotations

import msgspec
import pytest
from report_checks import check, grade
from report_documents import of
from test_html_report import drawn, student_page

from pytest_backprop.model import Finding, Grade, GradedCheck, Place
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.entries import apply_hints, check_entry, hinted
from pytest_backprop.reports.terminal import failure_lines, summary_lines

STORED = Place("a.py", 44, source="dw0 = g2 * x1")
TRUE = Place("a.py", 42, source="g2 = gp * r1")
NUMBERS = Finding("wrong-gradient", "d y / d w0: 9 of 9 points differ", place=STORED, name="w0")
LINE = Finding("faulty-line", "`g2` has the wrong sign here", "note", TRUE, "g2")
OTHER = Finding("possible-line", "it could be this line instead", "note", STORED)


def wrong(*findings: Finding) -> GradedCheck:
    return check("gradient", 0.5, 40, message="the gradient of w0 is wrong", findings=findings)


def graded(*findings: Finding) -> Grade:
    return grade("a.py", wrong(*findings))


@pytest.mark.parametrize("format", ["csv-moodle", "gradescope", "markdown", "json", "github-classroom", "moodle-vpl",
                                    "coderunner", "prairielearn"])  # fmt: skip
def test_the_faulty_line_is_told_before_the_numbers(format: str) -> None:
    one = msgspec.structs.replace(graded(LINE, NUMBERS), student_id="7")
    text = RENDERERS[format](apply_hints(of(one), "line"))
    assert 0 <= text.index("has the wrong sign here") < text.index("9 of 9 points differ")
    assert "note: `g2`" not in text


def test_annotations_mark_the_faulty_line_and_not_where_it_is_stored() -> None:
    told = RENDERERS["github-annotations"](of(graded(NUMBERS, OTHER, LINE)))
    lines = [line.partition("title")[0] for line in told.splitlines()]
    assert lines == [
        "::error file=a.py,line=42,", "::notice file=a.py,line=44,", "::notice file=a.py,line=44,"
    ]  # fmt: skip
    alone = RENDERERS["github-annotations"](of(graded(NUMBERS)))
    assert alone.startswith("::error file=a.py,line=44,")


def test_the_terminal_leads_with_it() -> None:
    lines = failure_lines(hinted(check_entry(wrong(NUMBERS, LINE)), "line"))
    assert [line.strip() for line in lines] == [
        "the gradient of w0 is wrong",
        "line 42: g2 = gp * r1",
        "`g2` has the wrong sign here",
        "line 44: dw0 = g2 * x1",
        "d y / d w0: 9 of 9 points differ",
    ]
    rows = [text for text, _ in summary_lines(of(graded(NUMBERS, LINE)), 80)]
    assert "    gradient: line 42: `g2` has the wrong sign here" in rows
    whole = of(graded(NUMBERS, LINE), hints="none")
    hidden = [text for text, _ in summary_lines(apply_hints(whole, "none"), 80)]
    assert "    gradient: the gradient of w0 is wrong" in hidden


def test_on_its_page_it_is_red_and_where_it_is_stored_is_not() -> None:
    page = drawn()
    place = page.checks[1].result.findings[0].place
    assert place is not None
    above = msgspec.structs.replace(place, line=place.line - 1)
    numbers, line = (
        msgspec.structs.replace(finding, place=at) for finding, at in ((NUMBERS, place), (LINE, above))
    )  # fmt: skip
    shown = student_page(msgspec.structs.replace(page, checks=(wrong(numbers, line),)))
    assert f'<div class="line fault" id="C{place.cell}L{place.line - 1}">' in shown
    assert f'<div class="line" id="C{place.cell}L{place.line}">' in shown
    assert shown.index("has the wrong sign here") < shown.index("9 of 9 points differ")
    assert '<p class="neutral">' in shown


def test_a_method_that_is_another_tasks_is_shown_by_no_numbers() -> None:
    code = {"w0": {"reproducer": "print(model.w.grad)"}}
    task = Finding("other-task", "the pass is that of v5", "fault", TRUE)
    for finding, shown in ((NUMBERS, True), (task, False)):
        one = check("gradient", 0.0, 40, findings=(finding,), details=code)
        told = "\n".join(failure_lines(hinted(check_entry(one), "line")))
        pages = student_page(msgspec.structs.replace(drawn(), checks=(one,)))
        for text in (told, pages, RENDERERS["markdown"](of(grade("a.py", one)))):
            assert ("print(model.w.grad)" in text) == shown
