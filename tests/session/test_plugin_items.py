"""What pytest shows and reports of a class: items, outcomes, exit codes, selection, endings."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import (
    CHECKS,
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
)

# -- a class of everything ----------------------------------------------------------------------

RAISES = RIGHT.replace(
    "        a = w0 * x1\n",
    '        raise ValueError("\\x1b[31mred\\x00\\x9b\\u202e\\r\\n" + "long " * 200_000)\n',
)
SURROGATE = RIGHT.replace("        a = w0 * x1\n", '        raise ValueError("a\\udc80b")\n')
PRINTS = RIGHT.replace(
    "        a = w0 * x1\n",
    '        print("\\x1b[2J\\x1b[31mSTUDENT OUTPUT")\n        a = w0 * x1\n',
)
OWN_TASK = OWN_DEF.replace("def v1()", "def v78()")
ODD_NAME = "Сидорова Анна (李) v1.py"

CLASS: dict[str, str | bytes] = {
    "bad_utf8_v1.py": RIGHT.encode() + b"# \xff\xfe\x80\n",
    "book_v1.ipynb": notebook("import torch\nfrom torch import nn", RIGHT, "1 / 0"),
    "broken_v1.ipynb": '{"cells": [',
    "empty_v1.py": "",
    "no_class_v1.py": "print('hello')\n",
    "no_variant.py": RIGHT,
    "own_def.py": OWN_DEF,
    "own_def_but_v1.py": OWN_DEF.replace("def v1()", "def v2()"),
    "own_task.py": OWN_TASK,
    "prints_v1.py": PRINTS,
    "raises_v1.py": RAISES,
    "right_v1.py": RIGHT,
    "surrogate_v1.py": SURROGATE,
    "syntax_v1.py": "class Net(\n",
    "unknown_v7.py": RIGHT,
    "wrong_v1.py": WRONG,
    ODD_NAME: WRONG,
    "sub/folder_v1/work.py": RIGHT,
    "notes.txt": "not a submission",
    ".hidden_v1.py": RIGHT,
    ".ipynb_checkpoints/right_v1-checkpoint.ipynb": notebook(RIGHT),
    "__MACOSX/right_v1.py": RIGHT,
}
GRADED = [name for name in CLASS if not name.startswith((".", "_")) and name != "notes.txt"]
SPOILT = {
    "bad_utf8_v1.py": "not utf-8",
    "broken_v1.ipynb": "",
    "empty_v1.py": "",
    "no_class_v1.py": "class",
    "syntax_v1.py": "line 1",
}


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("everything"), CLASS, "-v")


def test_every_submission_is_in_the_report(everything: Run) -> None:
    paths = [s["path"] for s in everything.report["submissions"]]
    assert sorted(paths) == sorted(f"class/{name}" for name in GRADED)
    assert all(
        tuple(c["id"] for c in s["checks"]) == CHECKS and s["max_score"] == 100
        for s in everything.report["submissions"]
    )


@pytest.mark.parametrize(
    "name", ["right_v1.py", "book_v1.ipynb", "own_def.py", "prints_v1.py", "work.py"]
)
def test_right_ones_get_all_points_whatever_lies_beside_them(everything: Run, name: str) -> None:
    assert everything.by_name[name]["score"] == 100
    assert everything.by_name[name]["status"] == "graded"


@pytest.mark.parametrize("name", SPOILT)
def test_spoilt_files_are_graded_zero_and_told_why(everything: Run, name: str) -> None:
    told = everything.by_name[name]
    assert (told["status"], told["score"], told["variant"]) == ("unreadable", 0, "v1")
    assert SPOILT[name] in told["message"]
    assert told["message"]
    (finding,) = told["checks"][0]["findings"]
    assert finding["hint"]
    assert {c["outcome"] for c in told["checks"]} == {"failed"}


def test_what_stopped_a_submission_is_told_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"broken_v1.py": "class Net(\n"}
    run = grade_folder(tmp_path, files)
    assert run.out.count("is not Python") == 2  # with its first check, and in the table
    assert [line for line in run.section("FAILURES") if "of 40 points" in line]
    alone = run_pytest(tmp_path, "--backprop", "class/broken_v1.py::gradient")
    assert "is not Python" in "\n".join(alone.section("FAILURES"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("no_variant.py", ["variant is not known", "--backprop-variant", "--backprop-roster"]),
        ("unknown_v7.py", ["'v7'", "v1", "v2"]),
        ("own_task.py", ["no variant v78", "may not set its own task", "--backprop-variants"]),
    ],
)
def test_without_a_variant_it_is_not_judged_and_says_what_to_do(
    everything: Run, name: str, parts: list[str]
) -> None:
    told = everything.by_name[name]
    assert told["status"] == "not_judged"
    assert {c["outcome"] for c in told["checks"]} == {"not_judged"}
    assert all(part in told["message"] for part in parts)
    below = " ".join(line.strip() for line in everything.section("backprop"))
    assert told["message"] in below  # whole, and in no words of a fault of ours
    assert "grader error" not in everything.out


def test_two_rows_for_one_submission_cost_nobody_else(tmp_path: Path) -> None:
    lines = (
        "student,submission,variant",
        "Ann,class/a,v1",
        "Bob,class/a.ipynb,v1",
        "Eve,class/b.py,v1",
        "Zed,class/c.py,v1",
    )
    (tmp_path / "roster.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = grade_folder(tmp_path, {"a.py": RIGHT, "b.py": RIGHT}, "--backprop-roster=roster.csv")
    found = {name: (told["status"], told["student"]) for name, told in run.by_name.items()}
    assert found == {"a.py": ("not_judged", None), "b.py": ("graded", "Eve")}
    assert "line 2 ('class/a') and line 3" in run.by_name["a.py"]["message"]
    missing = [student["student"] for student in run.report["roster"]["missing"]]
    assert missing == ["Zed"]  # that Ann and Bob handed nothing in is not known


def test_not_judged_do_not_count_as_zeros(everything: Run) -> None:
    report = everything.report
    assert report["summary"]["graded"] == report["summary"]["submissions"] - 3
    assert f"class/no_variant.py{'-/100':>20}".split() == next(
        line.replace("  -  ", " ").split()
        for line in everything.section("backprop")
        if line.startswith("class/no_variant.py")
    )


@pytest.mark.parametrize(
    ("name", "variant", "source"),
    [
        ("own_def.py", "v1", "submission"),
        ("own_def_but_v1.py", "v1", "name"),
        ("work.py", "v1", "name"),
        ("no_variant.py", None, None),
        ("own_task.py", None, None),
    ],
)
def test_where_the_variant_was_read(
    everything: Run, name: str, variant: str | None, source: str | None
) -> None:
    told = everything.by_name[name]
    assert (told["variant"], told["variant_source"]) == (variant, source)


def test_own_def_is_told_in_the_report(everything: Run) -> None:
    assert any("own `def" in note for note in everything.by_name["own_def.py"]["notes"])


def test_the_table_marks_a_variant_that_only_the_file_says(everything: Run) -> None:
    rows = {
        line.split()[0]: line
        for line in everything.section("backprop")
        if line.startswith("class/")
    }
    assert "v1 (text)" in rows["class/own_def.py"]
    assert "v1 (name)" in rows["class/right_v1.py"]


def test_items_are_file_and_check(everything: Run) -> None:
    for check in CHECKS:
        assert f"class/right_v1.py::{check} PASSED" in everything.out
    outcomes = {
        check: "FAILED" if check in ("gradient", "release") else "PASSED" for check in CHECKS
    }
    for check, outcome in outcomes.items():
        assert f"class/wrong_v1.py::{check} {outcome}" in everything.out
        assert f"class/{ODD_NAME}::{check} {outcome}" in everything.out
    assert f"collected {len(GRADED) * len(CHECKS)} items" in everything.out


def test_a_class_with_failures_exits_1(everything: Run) -> None:
    assert everything.code == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in everything.out + everything.err
    assert "Traceback" not in everything.out + everything.err


def test_hostile_text_is_harmless(everything: Run) -> None:
    told = everything.check("raises_v1.py", "gradient")
    shown = told["message"] + "".join(f["message"] for f in told["findings"])
    assert "ValueError" in shown
    assert len(shown) < 5_000
    assert "\x1b" not in everything.out
    assert "\x00" not in everything.out
    assert "STUDENT OUTPUT" not in everything.out
    assert len(everything.out) < 200_000


def test_an_exception_text_without_utf8(everything: Run) -> None:
    told = everything.by_name["surrogate_v1.py"]
    assert told["status"] == "graded"
    assert told["score"] == 15  # forward is right
    assert "ValueError" in everything.check("surrogate_v1.py", "gradient")["message"]


def test_a_name_with_letters_of_all_kinds_is_told_as_it_is(everything: Run) -> None:
    assert everything.by_name[ODD_NAME]["score"] == 78
    assert any(line.startswith(f"class/{ODD_NAME} ") for line in everything.section("backprop"))


# -- selection ----------------------------------------------------------------------------------


WATCH = """
    import os, sys

    def watch(event, arguments):
        if event in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
            with open(os.environ.get("WATCHED", "started.txt"), "a") as log:
                print(event, arguments, file=log)

    sys.addaudithook(watch)
"""


@pytest.fixture(scope="module")
def selected(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(
        tmp_path_factory.mktemp("selected"),
        {"right_v1.py": RIGHT, "wrong_v1.py": WRONG},
        "-k",
        "gradient",
        "-v",
        interpreter=True,  # of which all children are started in its own sight
        watching=WATCH,
    )


def test_k_runs_the_chosen_checks_only(selected: Run) -> None:
    assert "2/12 tests collected (10 deselected)" in selected.out or (
        "12 items / 10 deselected / 2 selected" in selected.out
    )
    assert "right_v1.py::gradient PASSED" in selected.out
    assert "wrong_v1.py::gradient FAILED" in selected.out
    assert "::forward" not in selected.out


def test_k_leaves_the_report_whole(selected: Run) -> None:
    assert {name: s["score"] for name, s in selected.by_name.items()} == {
        "right_v1.py": 100,
        "wrong_v1.py": 78,
    }
    assert {s["max_score"] for s in selected.by_name.values()} == {100}
    assert all(tuple(c["id"] for c in s["checks"]) == CHECKS for s in selected.by_name.values())


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Run:
    slow = RIGHT.replace(
        "        a = w0 * x1\n", "        import time; time.sleep(9)\n        a = w0 * x1\n"
    )
    files = {"a_wrong_v1.py": WRONG, "b_right_v1.py": slow}
    folder = tmp_path_factory.mktemp("stopped")
    row = "student,submission,variant,id\nBob,class/b_right_v1.py,v1,7\n"
    (folder / "roster.csv").write_text(row, encoding="utf-8")
    return grade_folder(folder, files, "-x", "--backprop-roster=roster.csv")


def test_x_stops_after_the_first_failure(stopped: Run) -> None:
    assert stopped.code == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 2 passed" in stopped.out


def test_x_keeps_the_whole_class_in_the_report(stopped: Run) -> None:
    assert stopped.by_name["a_wrong_v1.py"]["score"] == 78
    rest = stopped.by_name["b_right_v1.py"]
    assert rest["status"] == "not_reached"
    assert rest["message"] == "the run ended before it was graded"
    assert rest["max_score"] == 100
    assert {c["outcome"] for c in rest["checks"]} == {"not_judged"}
    assert (rest["student"], rest["student_id"]) == ("Bob", "7")  # the roster knows without a run


def test_an_item_can_be_named_and_all_passed_exits_0(tmp_path: Path) -> None:
    lay_out(tmp_path, bank() | {"class/right_v1.py": RIGHT, "class/wrong_v1.py": WRONG})
    run = run_pytest(
        tmp_path, "--backprop", "class/wrong_v1.py::forward", "--backprop-report=json:report.json"
    )
    assert run.code == pytest.ExitCode.OK
    assert {name: s["score"] for name, s in run.by_name.items()} == {"wrong_v1.py": 78}


# -- collecting only ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    files = {"endless_v1.py": ENDLESS, "right_v1.py": RIGHT}
    return grade_folder(
        tmp_path_factory.mktemp("listed"),
        files,
        "--collect-only",
        "-q",
        interpreter=True,
        watching=WATCH,
    )


def test_collect_only_lists_all_items(listed: Run) -> None:
    assert listed.code == pytest.ExitCode.OK
    for file in ("endless_v1.py", "right_v1.py"):
        for check in CHECKS:
            assert f"class/{file}::{check}\n" in listed.out


def test_collect_only_starts_no_worker_and_writes_no_report(listed: Run) -> None:
    assert not (listed.folder / "started.txt").exists()
    assert not (listed.folder / "report.json").exists()
    assert "graded" not in listed.out


def test_the_watch_sees_a_worker(selected: Run) -> None:
    """Otherwise the test above would prove nothing."""
    assert "pytest_backprop.grading.judge.start" in (selected.folder / "started.txt").read_text()


# -- nothing to do ------------------------------------------------------------------------------


def test_nothing_to_grade_says_so(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, {"notes.txt": "", "__init__.py": "", "conftest.py": ""})
    assert run.code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert run.section("backprop") == [
        "nothing to grade: no .py or .ipynb file was found",
        "give the path of a notebook, or of a folder that holds submissions",
        *run.section("backprop")[2:],
    ]
    assert not (tmp_path / "report.json").exists()


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    lay_out(tmp_path, bank())
    run = run_pytest(tmp_path, "--backprop", "clas")
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "clas" in run.told


def test_without_backprop_nothing_is_graded(tmp_path: Path) -> None:
    lay_out(tmp_path, bank() | {"class/right_v1.py": RIGHT, "test_mine.py": "def test_a(): pass"})
    run = run_pytest(tmp_path, ".")
    assert run.code == pytest.ExitCode.OK
    assert "1 passed" in run.out
    assert "backprop:" not in run.out
