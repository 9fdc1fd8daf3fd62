"""Reports for editors and code scanning: `lines` and `sarif`."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from consumers import editor, sarif
from hostile import harmful
from hypothesis import assume, given
from msgspec.structs import replace
from report_checks import LATE, PLACE, check, grade
from report_documents import MANY, SECRET, SITUATIONS, documents, not_judged, of, one, situation

from pytest_backprop.model import CHECK_IDS, NO_GRADE, Finding
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.document import Document
from pytest_backprop.reports.editors import ABOUT

LINES, SARIF = RENDERERS["lines"], RENDERERS["sarif"]
every = pytest.mark.parametrize("name", SITUATIONS)


def lines(document: Document) -> list[editor.Problem]:
    """Those of the report, each of whose lines is one."""
    text = LINES(document)
    found = editor.problems(text)
    assert len(found) == text.count("\n")
    return found


@every
def test_they_are_valid_harmless_and_keep_secrets(name: str) -> None:
    document = situation(name)
    sarif.run_of(SARIF(document))
    lines(document)
    for text in (LINES(document), SARIF(document)):
        assert harmful(text) == []
        assert SECRET not in text
        assert len(text) < 1_000_000


@given(documents)
def test_of_any_document(document: Document) -> None:
    assume(all(entry.path for entry in document.submissions))
    sarif.run_of(SARIF(document))
    lines(document)


def test_of_three() -> None:
    assert lines(MANY) == [
        ("a.ipynb", 1, 1, "error", "cell 4, line 43: t9 kept after line 43 (2 late values) [release]"),
        ("a.ipynb", 1, 1, "note", "hint: write `del t9` after line 43"),
        ("b.py", 1, 1, "warning", "no luck [grader_error]"),
        ("c.py", 1, 1, "error", "line 3 is not Python [unreadable]"),
    ]  # fmt: skip
    run = sarif.run_of(SARIF(MANY))
    assert [(r["ruleId"], r["level"], r["message"]["text"]) for r in run["results"]] == [
        (
            "release", "error",
            "cell 4, line 43: t9 kept after line 43 (2 late values)\nhint: write `del t9` after line 43",
        ),
        ("unreadable", "error", "line 3 is not Python"),
    ]  # fmt: skip
    assert [r["properties"] for r in run["results"]] == [{"kind": "late-release"}, {}]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == ("error", "grader_error: no luck")


def test_what_nobody_judged_is_no_result() -> None:
    unjudged = check("onnx", 0.0, 5, outcome="not_judged", message="not judged: no onnx here")
    run = sarif.run_of(SARIF(of(grade("a.py", check("forward"), unjudged))))
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True
    assert [n["level"] for n in invocation["toolExecutionNotifications"]] == ["warning"]
    for status in NO_GRADE:
        run = sarif.run_of(SARIF(of(not_judged(status=status))))
        assert run["results"] == run["tool"]["driver"]["rules"] == []


@pytest.mark.parametrize("row", [None, 211])
def test_a_place_in_a_notebook_is_a_line_of_its_file(row: int | None) -> None:
    """And its column there nobody knows."""
    late = replace(LATE, place=replace(PLACE, row=row))
    document = of(grade("a.ipynb", check("release", 0.4, findings=(late,))))
    assert [problem[1:3] for problem in lines(document)] == [(row or 1, 1)] * 2
    (result,) = sarif.run_of(SARIF(document))["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": row or 1}
    annotation = RENDERERS["github-annotations"](document)
    assert (f"line={row}," in annotation) == (row is not None)


@pytest.mark.parametrize(
    "path", ["мои задания/моя работа.py", "a b#c%20?d.py", "v8:final.py", "C:\\\\a.py", "/tmp/ё.py"]
)
def test_paths(path: str) -> None:
    place = replace(PLACE, path=path, cell=None)
    document = of(grade(path, check("release", 0.4, findings=(replace(LATE, place=place),))))
    (result,) = sarif.run_of(SARIF(document))["results"]
    physical = result["locations"][0]["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert unquote(uri) == (f"file://{path}" if path.startswith("/") else path)
    assert physical["region"] == {"startLine": 43, "startColumn": 15}
    assert lines(document)[0][:3] == (path, 43, 15)


def test_nobody_is_named() -> None:
    document = of(one())
    for text in (LINES(document), SARIF(document)):
        assert not [name for name in ("Ann", "ann@uni.example", '"7"') if name in text]


def test_a_number_that_is_merely_stored_is_a_note() -> None:
    number = Finding("wrong-gradient", "is -9", place=PLACE)
    faulty = Finding("faulty-line", "goes wrong here", place=PLACE)
    document = of(grade("a.ipynb", check("gradient", 0.5, findings=(number, faulty))))
    assert [problem.severity for problem in lines(document)] == ["error", "note"]
    assert [r["level"] for r in sarif.run_of(SARIF(document))["results"]] == ["error", "note"]


def test_another_line_that_may_be_meant_is_related_to_the_first() -> None:
    faulty = Finding("faulty-line", "`g2` goes wrong here", "note", place=PLACE)
    other = Finding("possible-line", "or here", "note", place=replace(PLACE, row=9, line=9))
    number = Finding("wrong-gradient", "is -9", place=PLACE)
    document = of(grade("a.ipynb", check("gradient", 0.5, findings=(faulty, other, number))))
    assert [problem.severity for problem in lines(document)] == ["error", "note", "note"]
    results = sarif.run_of(SARIF(document))["results"]
    assert [(r["level"], len(r.get("relatedLocations", ()))) for r in results] == [
        ("error", 1),
        ("note", 0),
    ]
    (related,) = results[0]["relatedLocations"]
    assert related["message"]["text"] == "cell 4, line 9: or here"
    assert related["physicalLocation"]["region"] == {"startLine": 9}


def test_every_check_is_told_in_words() -> None:
    assert list(ABOUT) == list(CHECK_IDS)
