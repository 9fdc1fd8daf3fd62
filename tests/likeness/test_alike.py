"""Which pairs are told as alike, and the page that shows them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from alike_passes import COMMON, OWN, class_of, member, own_pass, source
from html_pages import Page, made, pages
from report_checks import check_report

from pytest_backprop.likeness.comparison import (
    FEWEST,
    GRAPH_KINDS,
    KINDS,
    PAIRS_LIMIT,
    Comparison,
    Pass,
    compare,
)
from pytest_backprop.reports.document import render


def test_the_copied_pair_is_told_and_no_other() -> None:
    found = compare(class_of(10))
    (pair,) = found.pairs
    assert pair.paths == ["s00.py", "s09.py"]
    assert pair.students == ["Student 0", "Student 9"]
    assert (pair.graph, found.compared, found.too_few, found.left_out) == (1.0, 10, [], 0)
    assert pair.order < 1
    assert pair.drops < 1
    assert pair.likeness > 0.6
    rare = [(at.first_line, at.second_line) for at in pair.lines if at.rare]
    assert rare == [(n, n + 3) for n in range(COMMON + 1, COMMON + OWN + 1)]
    assert len(pair.lines) == COMMON + OWN


def test_where_all_are_the_same_nobody_is_alike() -> None:
    assert compare([member(n, own_pass(1)) for n in range(10)]).pairs == []


def test_what_half_of_a_class_shares_is_no_copy_and_a_ring_of_four_is() -> None:
    for others, told in ((6, 0), (8, 6)):
        grades = [member(n, own_pass(n)) for n in range(others)]
        grades += [member(n, own_pass(99)) for n in range(others, 12)]
        assert len(compare(grades).pairs) == told


def test_few_lines_are_no_evidence_however_many_traits_they_make() -> None:
    """As a tape's few lines calculate all nodes."""
    grades = class_of(10)
    for at in (0, 9):
        few = [msgspec.structs.replace(t, line=(t.line or 0) % 5 + 1) for t in grades[at].traits]
        grades[at] = msgspec.structs.replace(grades[at], traits=tuple(few))
    assert compare(grades).pairs == []


def test_of_a_small_task_nothing_is_told() -> None:
    found = compare(class_of(FEWEST - 1))
    assert (found.pairs, found.compared, found.too_few) == ([], 0, ["v8"])
    assert len(compare(class_of(FEWEST + 1)).pairs) == 1


def test_tasks_are_not_compared_with_each_other() -> None:
    grades = class_of(10)
    grades[9] = msgspec.structs.replace(grades[9], variant="v9")
    assert compare(grades).pairs == []


def test_two_of_one_student_are_not_told() -> None:
    grades = class_of(10)
    assert compare(grades).pairs
    grades[9] = msgspec.structs.replace(grades[9], student="Student 0")
    assert compare(grades).pairs == []


def test_the_order_of_grading_leaves_no_trace() -> None:
    grades = class_of(10)
    assert compare(grades) == compare(grades[::-1])


def test_many_pairs_are_cut_and_counted() -> None:
    grades = [member(n, own_pass(n // 2)) for n in range(2 * PAIRS_LIMIT + 20)]
    found = compare(grades)
    assert (len(found.pairs), found.left_out) == (PAIRS_LIMIT, 10)


@pytest.mark.parametrize("kinds", [KINDS, GRAPH_KINDS, ("order",)])
def test_all_at_once_is_the_same_as_each_alone(kinds: Any) -> None:
    passes = [Pass(grade.path, grade.student, grade.traits) for grade in class_of(9)]
    comparison = Comparison("v8", passes)
    keys = [{key for key in each if key[0] in kinds} for each in comparison.keys]
    shares = comparison.shares(kinds)

    def weight(chosen: set[Any], pair: int) -> float:
        return sum(comparison.weight(sum(k in all for all in keys) - pair) for k in chosen)

    for a in range(9):
        for b in range(9):
            if a != b:
                both, one = weight(keys[a] & keys[b], 2), weight(keys[a] ^ keys[b], 1)
                assert shares[a, b] == pytest.approx(both / (both + one), abs=1e-4)
                if kinds == ("order",):
                    assert comparison._share(a, b, "order") == pytest.approx(both / (both + one))


def test_no_score_depends_on_it() -> None:
    grades = class_of(10)
    without = [msgspec.structs.replace(grade, traits=()) for grade in grades]
    report, plain = (check_report(render(made(each))) for each in (grades, without))
    assert len(report.pop("alike")["pairs"]) == 1
    assert plain.pop("alike") == {"pairs": [], "left_out": 0, "compared": 0, "too_few": []}
    assert report == plain


# -- the page ------------------------------------------------------------------------------------


def test_both_sources_stand_side_by_side_with_their_lines_aligned() -> None:
    page = Page(pages(class_of(10))["alike.html"])
    rows = [a.get("class") for a in page.all("tr")]
    assert rows.count("rare") == OWN
    assert rows.count("same") == COMMON
    assert "# s00.py" in page.text
    assert "# s09.py" in page.text
    assert "Student 0 – Student 9" in page.text
    assert len(page.ids()) == len(set(page.ids()))


def test_what_cannot_be_aligned_is_told_where_it_stands() -> None:
    grades = class_of(10)
    last = COMMON + OWN
    swapped = {last - 1: last, last: last - 1}
    turned = tuple(
        msgspec.structs.replace(t, line=swapped.get(t.line or 0, t.line)) for t in grades[0].traits
    )
    grades[9] = msgspec.structs.replace(grades[9], traits=turned)
    page = Page(pages(grades)["alike.html"])
    assert [a.get("class") for a in page.all("tr")].count("rare") == OWN - 1
    assert page.text.count("↔ line") == 2


def test_no_students_page_knows_of_another() -> None:
    found = pages(class_of(10))
    students = [text for name, text in found.items() if name.startswith("students/")]
    assert len(students) == 10
    assert not [text for text in students if "alike" in text]
    assert "1 pair" in found["index.html"]


def test_a_class_without_a_pair_says_so_and_one_submission_has_no_page() -> None:
    found = pages([member(n, own_pass(n)) for n in range(8)])
    assert "No two of these" in found["alike.html"]
    few = pages(class_of(3))["alike.html"]
    assert "Nothing can be told" in few
    assert "alike.html" not in pages([member(0, own_pass(0))])


def test_without_sources_the_figures_stay() -> None:
    bare = [msgspec.structs.replace(grade, drawing=None) for grade in class_of(10)]
    page = Page(pages(bare)["alike.html"])
    assert "There is no source of these two to show." in page.text


def test_what_students_wrote_is_text() -> None:
    grades = class_of(10)
    grades[0] = msgspec.structs.replace(
        grades[0], drawing=source("<script>alert(1)</script>"), student="<b>Ann</b>"
    )
    page = Page(pages(grades)["alike.html"])
    assert len(page.all("script")) == 1
    assert not page.all("b")
    assert "<b>Ann</b>" in page.text
