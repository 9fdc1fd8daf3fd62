"""What students and instructors are told of a faulty line, from end to end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plugin_samples import RIGHT, Run, grade_folder, timeless

SIGN = RIGHT.replace("dw1 = a * x2", "dw1 = -a * x2")
"""One gradient has the wrong sign, in line 21."""
VALUE = RIGHT.replace("y = a * b + x3", "y = a * b - x3").replace(
    "* (w1 * x2) + x3", "* (w1 * x2) - x3"
)
"""Both methods return a wrong value, in lines 12 and 18."""
TYPED = RIGHT.replace("        a = w0", "        w0 = 0.5\n        a = w0")
"""The pass reads a number for a weight."""
HOSTILE = RIGHT.replace(
    "dw1 = a * x2",
    "v = {'{0.__class__}\\x1b[31m': -a * x2}\n        dw1 = v['{0.__class__}\\x1b[31m']",
)
CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_sign_v1.py": SIGN,
    "c_value_v1.py": VALUE,
    "d_typed_v1.py": TYPED,
    "e_hostile_v1.py": HOSTILE,
}
LEVELS = ("none", "line")
LINE = "`dw1` has the wrong sign here"
MENDED = " a * x2"
"""What belongs there, and stands in no report."""


def graded(folder: Path, *arguments: str) -> Run:
    return grade_folder(folder, CLASS, "--backprop-points=256", "--backprop-report=html:pages",
                        *arguments)  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """The class at a level of hints, graded once."""
    made: dict[str, Run] = {}

    def at(level: str) -> Run:
        if level not in made:
            made[level] = graded(tmp_path_factory.mktemp(level), f"--backprop-hints={level}")
        return made[level]

    return at


def page(run: Run, name: str) -> str:
    """The page of a submission, as one line."""
    found = [p for p in (run.folder / "pages").rglob("*.html") if name in p.read_text("utf-8")]
    texts = [p.read_text("utf-8") for p in found if p.name != "index.html"]
    assert len(texts) == 1
    return " ".join(texts[0].split())


def kinds(run: Run, name: str, check: str) -> list[str]:
    return [finding["kind"] for finding in run.check(name, check)["findings"]]


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_of_hints_decides_what_a_student_is_told(
    runs: Callable[[str], Run], level: str
) -> None:
    run = runs(level)
    told = kinds(run, "b_sign_v1.py", "gradient")
    assert ("faulty-line" in told) == (level != "none")
    flat = " ".join(run.out.split())
    shown = page(run, "b_sign_v1.py")
    for text in (flat, shown):
        assert ("has the wrong sign here" in text) == (level != "none")
        assert "instead of" not in text


@pytest.mark.parametrize("level", LEVELS)
def test_the_instructor_has_all_lines_at_every_level(
    runs: Callable[[str], Run], level: str
) -> None:
    best = runs(level).check("b_sign_v1.py", "gradient")["details"]["repairs"][0]
    assert (best["line"], best["name"], best["kind"]) == (21, "dw1", "sign")
    assert best["source"].strip() == "dw1 = -a * x2"
    assert best["sure"] == "possible"
    assert set(best) == {"kind", "cell", "line", "source", "name", "message", "sure"}
    assert MENDED not in json.dumps(runs(level).by_name["b_sign_v1.py"])


def test_the_line_is_shown_with_a_caret_in_80_columns(runs: Callable[[str], Run]) -> None:
    lines = runs("line").section("FAILURES")
    assert max(map(len, lines)) <= 80
    start = lines.index("  line 21: dw1 = -a * x2")
    assert lines[start + 1].strip() == "^"
    told = " ".join(" ".join(lines[start + 2 : start + 12]).split())
    assert LINE in told
    assert sum("line 21: dw1 = -a * x2" in line for line in lines) == 1


def test_wrong_values_and_typed_in_numbers_are_placed(runs: Callable[[str], Run]) -> None:
    run = runs("line")
    for check, line in (("forward", 12), ("manual-forward", 18)):
        first = run.check("c_value_v1.py", check)["details"]["repairs"][0]
        assert first["line"] == line
    for check in ("manual-forward", "gradient"):
        typed = [f for f in run.check("d_typed_v1.py", check)["findings"]
                 if f["kind"] == "faulty-line"]  # fmt: skip
        assert [f["line"] for f in typed] == [16]


def test_the_search_adds_notes_and_changes_no_score(
    runs: Callable[[str], Run], tmp_path: Path
) -> None:
    run = runs("line")
    plugin = """
        from pytest_backprop.repair import FaultSearch, faulty_lines
        faulty_lines.find = lambda *given: FaultSearch()
    """
    without = graded_without(tmp_path, plugin)

    def judged(of: Run) -> list[Any]:
        return [(name, check["id"], check["outcome"], check["score"], check["message"])
                for name, submission in of.by_name.items() for check in submission["checks"]]  # fmt: skip

    assert judged(run) == judged(without)
    notes = [f["level"] for s in run.by_name.values() for c in s["checks"] for f in c["findings"]
             if f["kind"] == "faulty-line"]  # fmt: skip
    assert set(notes) == {"note"}
    assert run.code == without.code


def graded_without(folder: Path, plugin: str) -> Run:
    return grade_folder(folder, CLASS, "--backprop-points=256", unsearched=plugin)  # fmt: skip


@pytest.mark.long
def test_two_runs_tell_the_same(runs: Callable[[str], Run], tmp_path: Path) -> None:
    again = graded(tmp_path, "--backprop-hints=line")
    assert timeless(again) == timeless(runs("line"))


def test_a_right_submission_is_not_searched(runs: Callable[[str], Run]) -> None:
    for check in runs("line").by_name["a_right_v1.py"]["checks"]:
        assert "repairs" not in check["details"]
        assert check["outcome"] == "passed"


def test_a_hostile_name_reaches_nobodys_terminal(runs: Callable[[str], Run]) -> None:
    run = runs("line")
    assert run.check("e_hostile_v1.py", "gradient")["outcome"] == "partial"
    assert "\x1b" not in run.out
    assert "<class" not in run.out


def test_in_russian(tmp_path: Path) -> None:
    run = graded(tmp_path, "--backprop-lang=ru")
    flat = " ".join(run.out.split())
    for text in (flat, page(run, "b_sign_v1.py")):
        assert re.search("у `?dw1`? здесь неверный знак", re.sub("</?code>", "", text))
        assert "wrong sign here" not in text
    first = run.check("b_sign_v1.py", "gradient")["details"]["repairs"][0]
    assert "неверный знак" in first["message"]
