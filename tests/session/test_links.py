"""Folders as git classrooms and students leave them: links, pipes, depth, names that act on a terminal."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from plugin_samples import RIGHT, WRONG, Run, bank, lay_out, run_pytest

EVIL = "e\x1b[2Jv\u202eil\n"
LINKS = {
    "ann/circle": "circle",
    "ann/up": "..",
    "eve/bob": "../bob",
    "eve/root": "/",
    "eve/proc": "/proc",
    "eve/stolen_v1.py": "../ann/hw_v1.py",
    "top": "/",
    "again": "ann",
}
SUBMISSIONS = {
    "ann/hw_v1.py": 100,
    "bob/hw_v1.py": 100,
    "eve/hw_v1.py": 100,
    "ann\\\\hw_v1.py": 78,
    "e\\x1b[2Jv\\u202eil\\n/a\\x1b[31m\\n\\x9b_v1.py": 100,
    "e\\x1b[2Jv\\u202eil\\n/half\\udcff_v1.py": 100,
}
"""By the names that reports have for them. `ann\\hw_v1.py`, one file, is not `hw_v1.py` of ann."""


def fill(folder: Path) -> None:
    lay_out(folder, bank())
    lay_out(folder / "class", {f"{who}/hw_v1.py": RIGHT for who in ("ann", "bob", "eve")})
    lay_out(folder / "class", {"ann\\hw_v1.py": WRONG, f"{EVIL}/a\x1b[31m\n\x9b_v1.py": RIGHT})
    (folder / "class" / EVIL / os.fsdecode(b"half\xff_v1.py")).write_text(RIGHT)
    for name, target in LINKS.items():
        (folder / "class" / name).symlink_to(target)
    os.mkfifo(folder / "class" / "bob" / "pipe_v1.py")
    deep = folder / "class" / "bob"
    for _ in range(60):
        deep = deep / "d"
        deep.mkdir()
    (deep / "deep_v1.py").write_text(RIGHT)


def acting(text: str) -> list[str]:
    return [
        ascii(c) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs")
    ]


@pytest.fixture(scope="module", params=["plain", pytest.param("two", marks=pytest.mark.long)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("links")
    fill(folder)
    formats = ("html:pages", "csv:out.csv", "markdown:out.md")
    words = [f"--backprop-report={format}" for format in ("json:report.json", *formats)]
    if request.param == "two":
        words += ["--backprop-executor=local:2"]
    # the folder, a file and a folder in it, and a file by way of a link
    paths = ("class", "class/ann/hw_v1.py", "class/bob", "class/again/hw_v1.py")
    return run_pytest(
        folder, "--backprop", *paths, *words, "-v", "--junitxml=junit.xml", "--backprop-points=256"
    )


def test_everything_is_graded_once(run: Run) -> None:
    graded = Counter(s["path"] for s in run.report["submissions"])
    assert graded == Counter(f"class/{name}" for name in SUBMISSIONS)
    scores = {s["path"].removeprefix("class/"): s["score"] for s in run.report["submissions"]}
    assert scores == SUBMISSIONS


def test_each_link_is_told_once(run: Run) -> None:
    lines = [line for line in run.out.split("\n") if line.startswith("not graded: class/")]
    reasons = {entry["path"]: entry["reason"] for entry in run.report["left_out"]}
    for name in LINKS:
        assert reasons[f"class/{name}"] == "it is a link, and links are not followed"
        assert sum(line.startswith(f"not graded: class/{name} (") for line in lines) == 1
    assert reasons["class/bob/pipe_v1.py"] == "it is not an ordinary file"
    assert reasons["class/again/hw_v1.py"].endswith("which is given as well")
    assert "it lies in more than 40 folders" in reasons.values()
    assert len(reasons) == len(LINKS) + 3


def test_no_name_acts_on_the_terminal_or_breaks_a_report(run: Run) -> None:
    assert acting(run.out) == []
    assert run.err == ""
    assert "Traceback" not in run.out
    cases = ElementTree.parse(run.folder / "junit.xml").getroot().findall(".//testcase")
    assert len(cases) == 6 * len(SUBMISSIONS)
    for name in ("report.json", "out.csv", "out.md", "junit.xml", "pages/index.html"):
        assert (
            acting(
                (run.folder / name)
                .read_text(encoding="utf-8")
                .replace("\r\n", "\n")
                .lstrip("\ufeff")
            )
            == []
        ), name


def test_links_as_arguments_are_told_and_nothing_else(tmp_path: Path) -> None:
    lay_out(tmp_path, {**bank(), "real/hw_v1.py": RIGHT})
    (tmp_path / "everything").symlink_to("/")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "real_too").symlink_to("real")
    names = ("everything", "loop.py", "real_too")
    done = run_pytest(tmp_path, "--backprop", *names, "--backprop-variants=variants")
    assert done.code == pytest.ExitCode.NO_TESTS_COLLECTED, done.out
    for name in names:
        assert done.out.count(f"not graded: {name} (it is a link, and links are not followed") == 1
    assert done.err == ""


def test_the_folder_of_a_run_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / EVIL
    lay_out(folder, {"hw.py": RIGHT})
    done = run_pytest(
        tmp_path, "--backprop", EVIL, "--collect-only", "--backprop-variants", str(tmp_path)
    )
    assert acting(done.out + done.err) == []
