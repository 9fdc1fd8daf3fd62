"""`--backprop-resume`: the report of one whole run, from whatever of it is in the journal; and what
a regrade says."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from plugin_samples import (
    CLOSE,
    ENDLESS,
    OWN_DEF,
    RIGHT,
    WRONG,
    Run,
    bank,
    grade_folder,
    lay_out,
    notebook,
    run_pytest,
    timeless,
)

from pytest_backprop.resume import Journal

CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_v1.ipynb": notebook(RIGHT, "1 / 0"),
    "d_empty_v1.py": "",
    "e_unknown_v9.py": RIGHT,
    "f_endless_v1.py": ENDLESS,
    "g_own.py": OWN_DEF,
    "h_raises_v1.py": RIGHT.replace(
        "        a = w0", '        raise ValueError("\\x00")\n        a = w0'
    ),
    "Ёлкин i_v1.py": CLOSE,
}
GRADE = ("--backprop", "class", "--backprop-report=json:report.json", "--backprop-timeout=1")
COUNT = """
    import os

    def note(kind, path):
        with open("log.txt", "a", encoding="utf-8") as log:
            print(kind, path, sep="|", file=log)

    def pytest_configure(config):
        if not config.getoption("backprop"):
            return
        from pytest_backprop.grading.pipeline import Grader
        true = Grader.grade

        def grade(self, path, shown, *others):
            note("grading", shown)
            return true(self, path, shown, *others)

        Grader.grade = grade
"""


def log_of(folder: Path, kind: str) -> list[str]:
    """Names of files, sorted."""
    lines = (folder / "log.txt").read_text(encoding="utf-8").splitlines()
    return sorted(line.partition("|class/")[2] for line in lines if line.startswith(f"{kind}|"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("whole")
    return grade_folder(folder, CLASS, "--backprop-timeout=1", counting=COUNT)


@pytest.fixture(scope="module")
def journaled(whole: Run) -> list[Path]:
    """The journal's files, in the order of the submissions' names."""
    files = (whole.folder / "report.json.journal").glob("*.json")
    return sorted(files, key=lambda file: json.loads(file.read_bytes())["key"]["submission"])


def resume(
    folder: Path, journal: Mapping[str, bytes], *words: str, order: tuple[str, ...] = ()
) -> Run:
    """Grades the class in `folder`, where `journal` is what an earlier run left."""
    lay_out(folder, bank())
    lay_out(folder / "report.json.journal", dict(journal))
    lay_out(folder / "class", CLASS)
    lay_out(folder, {"plugins/counting.py": "\n".join(r[4:] for r in COUNT.split("\n"))})
    asked = [f"class/{name}" for name in order] or ["class"]
    others = ("--backprop-resume", "-p", "counting")
    return run_pytest(folder, "--backprop", *asked, *GRADE[2:], *others, *words)


# -- the same report ------------------------------------------------------------------------------


@pytest.fixture(
    scope="module",
    params=[
        (1, ""),
        pytest.param((2, ""), marks=pytest.mark.long),
        pytest.param((4, "--backprop-executor=local:2"), marks=pytest.mark.long),
    ],
    ids=str,
)
def drawn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, journaled: list[Path]
) -> tuple[list[bytes], Run]:
    """Some files of the journal, one more torn; the submissions given in some order."""
    seed, words = request.param
    random = Random(seed)
    *kept, torn = random.sample(journaled, random.randint(3, len(journaled) - 1))
    journal = {path.name: path.read_bytes() for path in (*kept, torn)}
    journal[torn.name] = journal[torn.name][: random.randrange(len(journal[torn.name]) - 1)]
    order = random.sample(list(CLASS), len(CLASS))
    folder = tmp_path_factory.mktemp("drawn")
    return [journal[path.name] for path in kept], resume(
        folder, journal, *words.split(), order=tuple(order)
    )


def test_from_any_part_of_the_journal_in_any_order(
    drawn: tuple[list[bytes], Run], whole: Run
) -> None:
    assert timeless(drawn[1]) == timeless(whole)
    assert drawn[1].code == whole.code


def test_only_what_is_missing_is_graded(drawn: tuple[list[bytes], Run]) -> None:
    kept, run = drawn
    done = {name for name in CLASS if any(f'"class/{name}"'.encode() in line for line in kept)}
    missing = set(CLASS) - done | {"e_unknown_v9.py"}  # a fault of ours is tried again
    assert log_of(run.folder, "grading") == sorted(missing)


def test_the_journal_is_whole_again(drawn: tuple[list[bytes], Run], whole: Run) -> None:
    def scores(run: Run) -> dict[str, Any]:
        entries = Journal(run.folder / "report.json.journal").entries()
        return {name: (entry.key, entry.grade.score) for name, entry in entries.items()}

    assert scores(drawn[1]) == scores(whole)


@pytest.fixture(scope="module")
def nothing_left(tmp_path_factory: pytest.TempPathFactory, journaled: list[Path]) -> Run:
    journal = {path.name: path.read_bytes() for path in journaled}
    return resume(tmp_path_factory.mktemp("nothing"), journal)


def test_items_fail_in_the_same_words(nothing_left: Run, whole: Run) -> None:
    assert log_of(nothing_left.folder, "grading") == ["e_unknown_v9.py"]
    for title in ("FAILURES", "short test summary info"):
        assert nothing_left.section(title)[:-1] == whole.section(title)[:-1]


def test_the_section_is_the_same_and_says_where_it_is_from(nothing_left: Run, whole: Run) -> None:
    told = "8 grades were taken from the journal report.json.journal"
    assert [line for line in nothing_left.section("backprop") if line != told] == whole.section(
        "backprop"
    )
    assert told in nothing_left.section("backprop")


def test_a_selection_leaves_the_report_whole(tmp_path: Path, journaled: list[Path]) -> None:
    journal = {path.name: path.read_bytes() for path in journaled[:3]}
    run = resume(tmp_path, journal, "-k", "gradient and (a_right or b_wrong or i_v1)")
    assert log_of(tmp_path, "grading") == ["Ёлкин i_v1.py"]
    assert {name: s["score"] for name, s in run.by_name.items()} == {
        "a_right_v1.py": 100,
        "b_wrong_v1.py": 78,
        "Ёлкин i_v1.py": 80,
    }


# -- what is graded again, and what is said of it -------------------------------------------------


def regrade(folder: Path, *words: str) -> tuple[list[str], Run]:
    """Another run in a folder: the lines on what it graded again."""
    run = run_pytest(folder, "--backprop", "class", *words)
    shown = run.section("backprop")
    start = next((n for n, line in enumerate(shown) if line.startswith("regraded")), None)
    end = next(
        n
        for n, line in enumerate(shown)
        if line.endswith("journal: report.json.journal") or "taken from" in line
    )
    return ([] if start is None else shown[start:end]), run


REPORT = "--backprop-report=json:report.json"


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """A class of three that was graded once, with a roster and a rubric."""
    roster = "student,submission,variant\nAnn,ann.py,v1\nBob,bob.py,v1\nEve,eve.py,v1\n"
    lay_out(tmp_path, bank() | {"roster.csv": roster, "rubric.toml": "[checks.release]\n"})
    lay_out(tmp_path / "class", {"ann.py": RIGHT, "bob.py": WRONG, "eve.py": ""})
    said, run = regrade(tmp_path, *SETTLED)
    assert said == []
    assert [s["score"] for s in run.report["submissions"]] == [100, 78, 0]
    return tmp_path


SETTLED = (REPORT, "--backprop-roster=roster.csv", "--backprop-rubric=rubric.toml")


@pytest.mark.long
def test_a_new_file_is_graded_and_named(graded: Path) -> None:
    lay_out(graded / "class", {"bob.py": RIGHT, "eve.py": "# sorry\n"})
    os.utime(graded / "class/ann.py", (0, 0))  # another time is no other file
    said, run = regrade(graded, *SETTLED, "--backprop-resume")
    assert said == [
        "regraded because the file changed:",
        "    class/bob.py: 78 -> 100",
        "    1 has the score it had",
    ]
    assert "1 grade was taken from the journal report.json.journal" in run.section("backprop")
    assert [s["score"] for s in run.report["submissions"]] == [100, 100, 0]


CHANGED: dict[str, tuple[dict[str, str | bytes], tuple[str, ...], list[str]]] = {
    "rubric": (
        {"rubric.toml": "[checks.gradient]\npoints = 80\n"},
        (),
        [
            "regraded because the rubric changed:",
            "    class/ann.py: 100 -> 140",
            "    class/bob.py: 78 -> 98",
            "    1 has the score it had",
        ],
    ),
    "variant": (
        {"variants/v1.py": "def v1():\n  return w0 * x1 * (w1 * x2) - x3\n"},
        (),
        [
            "regraded because the variant changed:",
            "    class/ann.py: 100 -> 75",
            "    class/bob.py: 78 -> 53",
            "    1 has the score it had",
        ],
    ),
    "student": (
        {
            "roster.csv": "student,submission,variant\nAnna,ann.py,v1\nBob,bob.py,v1\nEve,eve.py,v1\n"
        },
        (),
        ["regraded because the roster names another student:", "    1 has the score it had"],
    ),
    "setting": (
        {},
        ("--backprop-seed=7",),
        ["regraded because seed went from 0 to 7:", "    3 have the score they had"],
    ),
    "hints": ({}, ("--backprop-hints=none",), []),
}


@pytest.mark.parametrize(
    "what", ["rubric", *(pytest.param(w, marks=pytest.mark.long) for w in CHANGED if w != "rubric")]
)
def test_what_changed_is_named(graded: Path, what: str) -> None:
    files, words, expected = CHANGED[what]
    lay_out(graded, files)
    said, run = regrade(graded, *SETTLED, "--backprop-resume", *words)
    assert said == expected
    assert all(len(line) <= 80 for line in said)
    taken = [line for line in run.section("backprop") if "taken from the journal" in line]
    assert len(taken) == (what in ("student", "hints"))


@pytest.mark.long
def test_without_resume_all_are_graded_and_only_changes_are_told(graded: Path) -> None:
    lay_out(graded / "class", {"bob.py": RIGHT})
    said, run = regrade(graded, *SETTLED)
    assert said == ["regraded because the file changed:", "    class/bob.py: 78 -> 100"]
    assert not [line for line in run.section("backprop") if "taken from" in line]


@pytest.mark.long
def test_a_submission_that_was_not_judged_is_told_when_it_is(tmp_path: Path) -> None:
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", {"ann.py": RIGHT})
    assert regrade(tmp_path, REPORT)[0] == []
    said, _ = regrade(tmp_path, REPORT, "--backprop-variant=v1", "--backprop-resume")
    assert said == ["regraded because the variant changed:", "    class/ann.py: not judged -> 100"]


def test_what_cannot_be_read_is_graded_again(graded: Path) -> None:
    (bob,) = (
        p for p in (graded / "report.json.journal").glob("*.json") if b"bob.py" in p.read_bytes()
    )
    bob.write_bytes(bob.read_bytes()[:-1])
    said, run = regrade(graded, *SETTLED, "--backprop-resume")
    shown = run.section("backprop")
    assert said == []
    assert "2 grades were taken from the journal report.json.journal" in shown
    assert [s["score"] for s in run.report["submissions"]] == [100, 78, 0]


SWAP = """
    def pytest_collection_finish(session):
        from pytest_backprop.grading.judge.judges import Judges
        true = Judges.grade

        def grade(self, path, shown, *others):
            made = true(self, path, shown, *others)
            path.write_bytes(path.read_bytes() + b"# late")
            return made

        Judges.grade = grade
"""


@pytest.mark.long
def test_a_file_that_changes_while_it_is_graded_is_not_resumed(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, {"a_v1.py": RIGHT}, swapping=SWAP)
    assert run.by_name["a_v1.py"]["score"] == 100
    said, _ = regrade(tmp_path, REPORT, "--backprop-resume")
    assert said == ["regraded because the file changed:", "    1 has the score it had"]


@pytest.mark.long
def test_two_runs_do_not_share_a_journal(graded: Path) -> None:
    held = Journal(graded / "report.json.journal")
    held.lock()
    before = (graded / "report.json").read_bytes()
    run = run_pytest(graded, "--backprop", "class", *SETTLED)
    held.close()
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "another run is writing to the journal" in run.told
    assert "report.json.journal" in run.told
    assert (graded / "report.json").read_bytes() == before


def test_collecting_leaves_no_journal(tmp_path: Path) -> None:
    grade_folder(tmp_path, {"a_v1.py": RIGHT}, "--collect-only")
    assert not (tmp_path / "report.json.journal").exists()
