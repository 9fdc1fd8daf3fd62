"""A class graded by the workers of a real Dask cluster: the same report, the same sandbox."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from dask_cluster import DaskCluster
from plugin_samples import (
    ENDLESS,
    RIGHT,
    WRONG,
    Run,
    grade_folder,
    lay_out,
    notebook,
    run_pytest,
    timeless,
)
from several_files import BANK, LAYER_FILE, LINEAR

from pytest_backprop.classroom.roster_file import load_roster
from pytest_backprop.cluster.workers import Task
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.assignment import Briefs, Part
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import CheckRules

pytestmark = pytest.mark.long

MARKER = "/tmp/backprop-dask-was-here"
CURIOUS = RIGHT.replace(
    "        a = w0 * x1\n",
    f"        import os, socket\n        open({MARKER!r}, 'w')\n        a = w0 * x1\n",
)
"""Writes a file, which the sandbox forbids."""
CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_v1.ipynb": notebook(RIGHT),
    "d_empty_v1.py": "",
    "e_unknown_v9.py": RIGHT,  # not judged, for no fault of the student's
    "f_curious_v1.py": CURIOUS,
    "g_endless_v1.py": ENDLESS,
    "Ёлкин h.py": WRONG,
    "i_listed.py": RIGHT,
    "j_claimed_v1.py": RIGHT,
    "k_bad_v1.py": b"\xff\xfe\x00",
}
PEOPLE = [
    ("Ёлкин Пётр", "Ёлкин h.py", "v1"),
    ("Zoe", "zoe.py", "v2"),
    ("Ivy Secret", "i_listed.py", "v1"),
]
WORDS = (
    "--backprop-roster=roster.csv",
    "--backprop-report=html:pages",
    "--backprop-timeout=4",
    "--tb=no",
)


def roster() -> str:
    text = io.StringIO()
    csv.writer(text).writerows([("student", "submission", "variant"), *PEOPLE])
    return text.getvalue()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Workers as `dask worker` starts them unasked: under nannies."""
    made = DaskCluster(tmp_path_factory.mktemp("cluster"))
    made.worker("--nworkers", "2")
    made.wait_for(2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("here")
    lay_out(folder, {"roster.csv": roster()})
    return grade_folder(folder, CLASS, *WORDS)


@pytest.fixture(scope="module")
def there(cluster: DaskCluster, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("there")
    lay_out(folder, {"roster.csv": roster()})
    return grade_folder(folder, CLASS, *WORDS, cluster.executor)


def test_the_report_is_the_same(here: Run, there: Run) -> None:
    assert (here.code, there.code) == (pytest.ExitCode.TESTS_FAILED,) * 2, there.out + there.err
    assert timeless(here) == timeless(there)
    assert {name: s["status"] for name, s in there.by_name.items()} == {
        name: {
            "d_empty_v1.py": "unreadable",
            "e_unknown_v9.py": "not_judged",
            "k_bad_v1.py": "unreadable",
            "g_endless_v1.py": "timeout",
        }.get(name, "graded")
        for name in CLASS
    }


def test_the_pages_are_the_same(here: Run, there: Run) -> None:
    one, other = (
        {page.name: page.read_bytes() for page in (run.folder / "pages/students").iterdir()}
        for run in (here, there)
    )
    assert one == other


def test_the_students_are_the_rosters(there: Run) -> None:
    assert there.by_name["i_listed.py"]["student"] == "Ivy Secret"
    assert there.by_name["Ёлкин h.py"]["student"] == "Ёлкин Пётр"


def test_the_sandbox_holds_on_the_workers(there: Run) -> None:
    assert not Path(MARKER).exists()
    assert there.by_name["f_curious_v1.py"]["score"] == 15  # forward alone: the pass raises


def test_how_many_workers_there_are_is_told(cluster: DaskCluster, there: Run) -> None:
    told = [line for line in there.out.split("\n") if " can grade" in line]
    assert told == [f"the Dask cluster {cluster.address} has 2 workers that can grade"]


def test_several_files_and_helpers_of_the_course_travel(
    cluster: DaskCluster, tmp_path: Path
) -> None:
    lay_out(tmp_path, {f"bank/{name}": text for name, text in BANK.items() if name < "v3"})
    for student in ("anna", "ben"):
        files = {"layers_v1.py": LAYER_FILE, "linear.py": LINEAR}
        lay_out(tmp_path, {f"class/{student}/{name}": text for name, text in files.items()})
    run = run_pytest(
        tmp_path, "--backprop", "class", "--backprop-variants=bank", "--backprop-report=json:report.json",
        cluster.executor,
    )  # fmt: skip
    assert [s["score"] for s in run.report["submissions"]] == [100, 100], run.out


def test_no_name_of_the_roster_travels(tmp_path: Path) -> None:
    lay_out(tmp_path, {"roster.csv": roster(), "bank/v1.py": "def v1():\n  return w0 * x1 * w1\n"})
    lay_out(tmp_path, {"class/i_listed.py": RIGHT, "class/i_listed.onnx": b"weights"})
    listed = msgspec.structs.replace(load_roster(tmp_path / "roster.csv"), folder="class")
    rules = {"forward": CheckRules(points=9), "onnx": CheckRules(points=1)}
    parts = (Part("forward-backward", rubric_of("default", rules, {}, ())),)
    briefs = Briefs(parts, load_bank(tmp_path / "bank"), listed, None, {})
    shown = "class/i_listed.py"
    path = tmp_path / shown
    task = Task(b"i_listed.py", path.read_bytes(), shown, tuple(briefs.of(path, shown)))
    sent = msgspec.msgpack.encode(task)
    assert b"i_listed" in sent
    assert RIGHT.encode() in sent
    assert b"weights" in sent  # the model beside it
    assert b"Ivy" not in sent
    assert b"Zoe" not in sent
    assert task.briefs[0].assigned.variant == "v1"


def test_a_second_run_finds_its_judges_at_work(
    cluster: DaskCluster, there: Run, tmp_path: Path
) -> None:
    """The same class with another seed, a setup of its own, and then the first again: no worker mixes
    them up."""
    lay_out(tmp_path, {"roster.csv": roster()})
    files = {name: CLASS[name] for name in ("a_right_v1.py", "b_wrong_v1.py")}
    other = grade_folder(tmp_path, files, *WORDS, cluster.executor, "--backprop-seed=3")
    assert [s["score"] for s in other.report["submissions"]] == [100, 78]
    assert other.report["settings"]["seed"] == 3
    again = grade_folder(tmp_path, files, *WORDS, cluster.executor)
    for name in files:
        assert timeless(again)["submissions"][list(files).index(name)]["checks"] == next(
            s["checks"] for s in timeless(there)["submissions"] if s["path"].endswith(name)
        )
    files_told = [line for line in again.out.split("\n") if line.startswith("class/")]
    assert [line.partition(" ")[0] for line in files_told][:2] == [
        f"class/{name}" for name in files
    ]
    assert [line.split()[1] for line in files_told[:2]] == ["......", "..F.F."]
