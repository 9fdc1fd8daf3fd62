from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from report_checks import LATE, PLACE, check, grade, grades
from report_documents import of

from pytest_backprop.model import Finding, Grade, Place
from pytest_backprop.reports.entries import apply_hints, check_entry, hinted
from pytest_backprop.reports.terminal import failure_lines, summary_lines


def table(*grades: Grade, width: int = 80, hints: Any = "line") -> list[str]:
    document = apply_hints(of(*grades, hints=hints), hints)
    return [text for text, _ in summary_lines(document, width)]


def test_table_at_80_columns() -> None:
    breach = Finding(kind="autograd", message="torch.autograd.grad is called", place=PLACE)
    lost = check("gradient", 0.0, 40, outcome="not_judged", message="not judged: worker died",
                 details={"reason": "worker died"})  # fmt: skip
    lines = table(
        grade("submissions/petrov_v8.ipynb"),
        grade(
            "submissions/ivanov_v8.ipynb",
            check("forward", of=79.5),
            check(fraction=0.3, findings=(LATE,)),
        ),
        grade("submissions/Сидорова Анна (李).py", check("gradient", 0.0, 40),
              check("integrity", 0.0, 0, findings=(breach,)), variant="v12"),
        grade("submissions/" + "very/" * 20 + "deep_v3.py", check("forward", of=60), lost),
        grade("submissions/z.py", check(fraction=0.0, of=100), status="timeout", variant=None,
              message="stopped after 20 s"),
        grade("submissions/zz.py", check(fraction=0.0, of=100, outcome="not_judged"),
              status="grader_error", message="disk full"),
    )  # fmt: skip
    assert lines == [
        "submission                                           student  variant      score",
        "submissions/ivanov_v8.ipynb                          Ann      v8       85.5/99.5",
        "    release: cell 4, line 43: t9 kept after line 43 (2 late values)",
        "submissions/petrov_v8.ipynb                          Ann      v8         100/100",
        "…very/very/very/very/very/very/very/very/deep_v3.py  Ann      v8          60/100",
        "    not judged: gradient (worker died)",
        "submissions/z.py                                     Ann      -            0/100",
        "    timeout: stopped after 20 s",
        "submissions/zz.py                                    Ann      v8           -/100",
        "    grader error: disk full",
        "submissions/Сидорова Анна (李).py                    Ann      v12           0/40",
        "    integrity: cell 4, line 43: torch.autograd.grad is called",
        "",
        "graded 5 of 6, mean 49.1, median 60, not judged: 1, judged in part: 1",
    ]


def test_table_marks_rows() -> None:
    class_ = of(
        grade("a"),
        grade("b", check(fraction=0.5)),
        grade("c", check(fraction=0.0)),
        grade("d", check(fraction=0.0, outcome="not_judged")),
    )
    rows = summary_lines(class_, 80)
    marks = {text[0]: markup for text, markup in rows if text[:1] in list("abcd")}
    assert marks == {"a": {"green": True}, "b": {"yellow": True}, "c": {"red": True},
                     "d": {"yellow": True}}  # fmt: skip
    assert rows[0][1] == rows[-1][1] == {"bold": True}


def test_table_shows_controls_and_keeps_to_the_width() -> None:
    bad = Finding(kind="x", message="\x1b[2Jт" + "яж" * 100)
    lines = table(grade("a\x1b[31m\n.py", check(fraction=0.0, findings=(bad,))), width=40)
    assert lines[1].startswith("a\\u001b[31m .py ")
    assert lines[2].startswith("    release: \\u001b[2Jтяж")
    assert lines[2].endswith("…")
    assert [len(line) for line in lines[:3]] == [40, 40, 40]


def test_table_without_hints_names_no_line() -> None:
    text = "\n".join(table(grade("a", check(fraction=0.0, findings=(LATE,))), hints="none"))
    assert "release: release says" in text
    assert "43" not in text


def test_failure_in_full() -> None:
    note = Finding(kind="zero", message="PyTorch skips this path", level="note",
                   place=Place(path="a.py", line=7, source="\tt = 0 * x"))  # fmt: skip
    bare = Finding(kind="k", message="two\nlines")
    result = check(fraction=0.5, message="2 values outlive their last use",
                   findings=(note, LATE, bare))  # fmt: skip
    assert failure_lines(hinted(check_entry(result), "line")) == [
        "2 values outlive their last use",
        "  cell 4, line 43: dt10dt7 = t9",
        "                         ^",
        "    t9 kept after line 43 (2 late values)",
        "    hint: write `del t9` after line 43",
        "  two",
        "    lines",
        "  line 7: t = 0 * x",
        "    note: PyTorch skips this path",
    ]


def test_failure_without_hints() -> None:
    assert failure_lines(
        hinted(check_entry(check(fraction=0.0, findings=(LATE,))), "none"), "none"
    ) == ["release says", "  t9 kept after line 43 (2 late values)"]


def test_failure_stops_after_ten_findings() -> None:
    many = tuple(replace(LATE, name=f"t{n}") for n in range(22))
    found = failure_lines(hinted(check_entry(check(findings=many)), "line"))
    assert sum("t9 kept after" in line for line in found) == 10
    assert sum("hint: " in line for line in found) == 1  # that of one line, said once
    assert found[-1] == "  … and 12 more"


def test_what_each_round_of_a_loop_does_is_told_once() -> None:
    other = replace(LATE, message="t8 kept", place=replace(PLACE, line=44))
    result = check(findings=(LATE, other) * 11, message="22 values outlive their last use")
    found = failure_lines(hinted(check_entry(result), "line"))
    assert [line.strip() for line in found if "kept" in line] == [LATE.message, "t8 kept"]
    assert "more" not in found[-1]


@pytest.mark.parametrize(
    ("source", "column", "want"),
    [
        ("a = b", 5, ["  line 1: a = b", "              ^"]),
        ("я = 李 + b", 9, ["  line 1: я = 李 + b", "                   ^"]),
        ("a\t= b", 3, ["  line 1: a    = b", "               ^"]),
        ("\x1b = b", 3, ["  line 1: \\u001b = b"]),  # the column is that of what was written
        ("  a = b", 1, ["  line 1: a = b"]),
        ("a = b", None, ["  line 1: a = b"]),
        ("a = b", 99, ["  line 1: a = b"]),
        ("", 1, ["  line 1"]),
        ("x" * 150, 1, ["  line 1: " + "x" * 55 + "…", "          ^"]),
        ("x" * 150 + "y", 151, ["  line 1: …" + "x" * 28 + "y", " " * 39 + "^"]),
    ],
)
def test_caret_stands_under_the_column(source: str, column: int | None, want: list[str]) -> None:
    finding = Finding(
        kind="k", message="m", place=Place(path="a", line=1, column=column, source=source)
    )
    assert failure_lines(hinted(check_entry(check(findings=(finding,))), "line"))[1:] == [
        *want,
        "    m",
    ]


@settings(max_examples=60)
@given(st.lists(grades, min_size=1, max_size=3), st.sampled_from([30, 80, 200]))
def test_any_text_is_harmless_on_a_terminal(made: list[Grade], width: int) -> None:
    lines = [text for text, _ in summary_lines(of(*made), width)]
    for one in made:
        lines += failure_lines(hinted(check_entry(one.checks[0]), "line"))
    for line in lines:
        line.encode()
        assert not any(ord(c) < 32 or c in "\x7f\x9b\u202e" for c in line.replace("\t", ""))
