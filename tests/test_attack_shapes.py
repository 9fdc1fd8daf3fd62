"""Submissions that are no ordinary text, made by the test, each with its verdict, in one class with an
honest neighbour: none stops the run, waits, or takes the others' grades."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attack_class import ATTACKS, NEIGHBOURS, VARIANT
from plugin_samples import CHECKS, Run, lay_out, notebook, run_pytest

from pytest_backprop.classroom import printable
from pytest_backprop.errors import SubmissionProblem
from pytest_backprop.submission import read

RIGHT = (ATTACKS / NEIGHBOURS[0]).read_text(encoding="utf-8")
SECRET = "canary-behind-a-link"


def circular() -> str:
    """A notebook whose one cell is said to hold itself, as far as JSON can say so."""
    return '{"cells": ' * 50_000 + "[]" + "}" * 50_000


def far_too_large(path: Path) -> None:
    """100 MB on no disk: a hole."""
    with open(path, "wb") as file:
        file.truncate(100 * 10**6)


def out_of_the_folder(path: Path) -> None:
    secret = path.parent.parent / "elsewhere.py"
    secret.write_text(RIGHT + f"\n# {SECRET}\n", encoding="utf-8")
    path.symlink_to(secret)


Made = Callable[[Path], object]
SHAPES: dict[str, tuple[Made, str, float]] = {
    "large_v902.py": (far_too_large, "MB large", 0),
    "deep_v902.py": (
        lambda path: path.write_text(RIGHT + "\nx = " + "(" * 5000 + "1" + ")" * 5000 + "\n"),
        "", 0),
    "long_sum_v902.py": (
        lambda path: path.write_text(RIGHT + "\nx = " + "+".join(["1"] * 50_000) + "\n"), "", 0),
    "deep_blocks_v902.py": (
        lambda path: path.write_text("".join(" " * n + "if 1:\n" for n in range(300)) + " " * 300 + "1"),
        "", 0),
    "circular_v902.ipynb": (lambda path: path.write_text(circular()), "", 0),
    "many_cells_v902.ipynb": (
        lambda path: path.write_text(notebook(RIGHT, *["x = 1"] * 5000)), "", 100),
    "large_cell_v902.ipynb": (
        lambda path: path.write_text(notebook(RIGHT, "#" * 2_000_000)), "characters of code", 0),
    "numbers_v902.ipynb": (
        lambda path: path.write_text(json.dumps({"cells": 7, "nbformat": 10**30})), "", 0),
    "not_utf8_v902.py": (lambda path: path.write_bytes(b"x = '\xff\xfe\xfa'\n"), "decoded", 0),
    "utf16_v902.py": (lambda path: path.write_bytes(RIGHT.encode("utf-16")), "UTF-16", 0),
    "nul_v902.py": (lambda path: path.write_bytes(RIGHT.encode() + b"\0"), "", 0),
    "nothing_v902.py": (lambda path: path.write_bytes(b""), "is empty", 0),
    "pickle_v902.py": (lambda path: path.write_bytes(b"\x80\x04cos\nsystem\n"), "", 0),
    "script\x1b[31m\n=cmd_v902.py": (lambda path: path.write_text(RIGHT), "", 100),
    "<script>alert(1)<_script>_v902.py": (lambda path: path.write_text(RIGHT), "", 100),
    "Grade :=>> 100_v902.py": (lambda path: path.write_text("class"), "", 0),
    "\u202egnp_v902.py": (lambda path: path.write_text(RIGHT), "", 100),
    "neighbour_v902.py": (lambda path: path.write_text(RIGHT), "", 100),
}  # fmt: skip

NO_FILES: dict[str, Made] = {
    "link_out_v902.py": out_of_the_folder,
    "link_to_passwd_v902.py": lambda path: path.symlink_to("/etc/passwd"),
    "fifo_v902.py": os.mkfifo,
    "device_v902.py": lambda path: path.symlink_to("/dev/zero"),
    "terminal_v902.py": lambda path: path.symlink_to("/dev/tty"),
    "link_in_a_circle_v902.py": lambda path: path.symlink_to(path.name),
    "link_to_nothing_v902.py": lambda path: path.symlink_to("gone.py"),
}
"""What is a link or no file: in a folder it is no submission, by name it is unreadable."""


@pytest.fixture(scope="module", params=["plain", pytest.param("two", marks=pytest.mark.long)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("shapes")
    workers = ["--backprop-executor=local:2"] if request.param == "two" else []
    lay_out(folder, {"variants/v902.py": VARIANT.read_text(encoding="utf-8")})
    (folder / "class").mkdir()
    for name, (make, _, _) in SHAPES.items():
        make(folder / "class" / name)
    for name, make in NO_FILES.items():
        make(folder / "class" / name)
    (folder / "class" / "folder_v902.py").mkdir()
    (folder / "class" / "folder_v902.py" / "inner_v902.py").write_text(RIGHT)
    (folder / "class" / os.fsdecode(b"half\xff_v902.py")).write_text(RIGHT)
    return run_pytest(folder, "--backprop", "class", "--backprop-points=256", "--tb=short",
                      "--backprop-timeout=8", "--backprop-report=json:report.json", *workers)  # fmt: skip


def shown(name: str) -> str:
    """A file's name as reports show it: what acts on a terminal is made visible."""
    return printable(name)


@pytest.mark.parametrize("name", SHAPES, ids=ascii)
def test_verdict_of_a_shape(name: str, run: Run) -> None:
    _, message, score = SHAPES[name]
    told = next(
        s for path, s in by_path(run).items() if shown(name) in (path, path.partition("/")[2])
    )
    assert told["score"] == score
    assert told["status"] == ("graded" if score else "unreadable")
    assert message in told["message"]
    assert tuple(check["id"] for check in told["checks"]) == CHECKS


def by_path(run: Run) -> dict[str, dict[str, object]]:
    return {s["path"]: s for s in run.report["submissions"]}


def test_a_folder_named_like_a_submission_is_a_folder(run: Run) -> None:
    assert by_path(run)["class/folder_v902.py/inner_v902.py"]["score"] == 100
    assert len(by_path(run)) == len(SHAPES) + 2


def test_a_name_that_is_no_text_is_spelt_out(run: Run) -> None:
    assert by_path(run)["class/half\\udcff_v902.py"]["score"] == 100


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_told_when_it_is_named(name: str, tmp_path: Path) -> None:
    NO_FILES[name](tmp_path / name)
    with pytest.raises(SubmissionProblem) as caught:
        read(tmp_path / name)
    assert caught.value.kind in ("not-a-file", "unreadable")


def test_what_is_behind_a_link_is_not_shown(run: Run) -> None:
    assert SECRET not in run.out + (run.folder / "report.json").read_text(encoding="utf-8")
    assert "root:" not in run.out


def test_the_run_ends_as_others_do(run: Run) -> None:
    assert run.code == pytest.ExitCode.TESTS_FAILED
    assert "Traceback" not in run.out
    assert run.err == ""


def test_deep_names_do_not_overflow_the_reader() -> None:
    """The shapes above are deep enough to overflow Python's own parser, or they would prove nothing."""
    with pytest.raises((SyntaxError, RecursionError, MemoryError)):
        compile("(" * 5000 + "1" + ")" * 5000, "deep", "eval")
    with pytest.raises(RecursionError):
        json.loads(circular())
    assert sys.getrecursionlimit() < 50_000
