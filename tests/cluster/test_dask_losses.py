"""Workers of a Dask cluster that come and go, and a run that is stopped: no grade is lost, none is a zero
for no fault of the student's."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_cluster import DaskCluster, descendants
from plugin_samples import (
    ENDLESS,
    RIGHT,
    WRONG,
    Run,
    bank,
    environment,
    grade_folder,
    lay_out,
    pytest_command,
    run_pytest,
    timeless,
)
from waiting import PATIENCE, wait_for_the_end, wait_until

import pytest_backprop
from pytest_backprop.resume import Journal

pytestmark = pytest.mark.long

WAITING = """        super().__init__()
        import os, time
        while not os.path.exists("{go}"):
            time.sleep(0.05)
"""


def waits_for(go: Path) -> str:
    """Right, once a file is there; without a sandbox it sees it."""
    return RIGHT.replace("        super().__init__()\n", WAITING.format(go=go))


WAITS = [f"{letter}_waits_v1.py" for letter in "bcdefg"]
REPORT = "--backprop-report=json:report.json"


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """A run in the background; what it says is in out.txt."""
    with open(folder / "out.txt", "wb") as out:
        return subprocess.Popen(
            pytest_command("--backprop", "class", REPORT, "--tb=no", *words),
            cwd=folder,
            env=environment(folder),
            stdout=out,
            stderr=out,
        )


def said(folder: Path) -> str:
    return (folder / "out.txt").read_text(encoding="utf-8")


def grades_on_disk(folder: Path) -> int:
    return len(list((folder / "report.json.journal").glob("*.json")))


# -- workers come and go --------------------------------------------------------------------------


def of_another_version(folder: Path) -> dict[str, str]:
    """The environment of a worker that has the same package, but for one line."""
    package = Path(pytest_backprop.__file__).parent
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / package.name / "errors.py", "a", encoding="utf-8") as module:
        module.write("\n# another version\n")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """While all submissions but one wait, a worker of another version comes, then a good one, and then
    the first is killed, which has one of them."""
    folder = tmp_path_factory.mktemp("eventful")
    cluster = DaskCluster(folder / "cluster")
    first = cluster.worker("--no-nanny")
    cluster.wait_for(1)  # pytest waits for workers, too, and counts 0 until one comes
    lay_out(folder, bank())
    lay_out(
        folder / "class", {"a_wrong_v1.py": WRONG} | dict.fromkeys(WAITS, waits_for(folder / "go"))
    )
    process = start(folder, cluster.executor, "--backprop-sandbox=off", "--backprop-timeout=80000")
    try:
        wait_until(lambda: grades_on_disk(folder) > 0, "nothing was graded")
        cluster.worker("--no-nanny", environment=of_another_version(folder / "other"))
        wait_until(lambda: "has another version" in said(folder), "nobody was refused")
        cluster.worker("--no-nanny")
        wait_until(lambda: "has 2 workers" in said(folder), "the third did not come")
        started = descendants(first.pid)
        first.kill()
        (folder / "go").touch()
        wait_for_the_end(started)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        cluster.close()
    return Run(code, said(folder), "", folder)


def test_a_worker_that_is_killed_loses_nothing(eventful: Run) -> None:
    assert eventful.code == pytest.ExitCode.TESTS_FAILED
    scores = {"a_wrong_v1.py": 78} | dict.fromkeys(WAITS, 100)
    assert {name: s["score"] for name, s in eventful.by_name.items()} == scores
    entries = Journal(eventful.folder / "report.json.journal").entries()
    assert {Path(name).name: e.grade.score for name, e in entries.items()} == scores


def test_a_worker_of_another_version_that_comes_later_is_left_out_and_told_once(
    eventful: Run,
) -> None:
    (told,) = [line for line in eventful.out.split("\n") if "has another version" in line]
    assert re.match(
        r"the Dask worker tcp://127\.0\.0\.1:\d+ cannot grade: it has another version: pytest-backprop 0\.\S+\+\w+ "
        r"\(here 0\.\S+\+\w+\); install there",
        told,
    )
    assert "has 3 workers" not in eventful.out


def test_workers_that_come_are_seen(eventful: Run) -> None:
    told = re.findall(r"has (\d) workers? that can grade", eventful.out)
    assert told[0] == "1"
    assert "2" in told


# -- each worker that has a submission dies, and Ctrl-C --------------------------------------------

MIXED: dict[str, str | bytes] = {"a_endless_v1.py": ENDLESS}
MIXED |= {f"{letter}_v1.py": RIGHT if letter != "c" else WRONG for letter in "bcde"}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Two workers, and a scheduler that gives a submission to no other when one dies."""
    made = DaskCluster(
        tmp_path_factory.mktemp("two"), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"
    )
    for _ in range(2):
        made.worker("--no-nanny")
    made.wait_for(2)
    yield made
    made.close()


def test_ctrl_c_loses_nothing_that_was_graded(two: DaskCluster, tmp_path: Path) -> None:
    """All items wait for the first; what the cluster has graded is in the journal and in the report."""
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", MIXED)
    process = start(tmp_path, two.executor, "--backprop-timeout=40")
    try:
        wait_until(lambda: grades_on_disk(tmp_path) == 4, "the others were not graded")
        assert "class/" not in said(tmp_path)  # no item has ended
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
    stopped = Run(code, said(tmp_path), "", tmp_path)
    assert code == pytest.ExitCode.INTERRUPTED
    told = {name: (s["status"], s["score"]) for name, s in stopped.by_name.items()}
    assert told["a_endless_v1.py"] == ("not_reached", 0)
    assert {n: t for n, t in told.items() if n > "b"} == {
        f"{letter}_v1.py": ("graded", 78 if letter == "c" else 100) for letter in "bcde"
    }
    assert "1 was not graded: the same command with --backprop-resume goes on" in stopped.out
    lay_out(tmp_path / "class", {"a_endless_v1.py": RIGHT})
    words = ("--backprop", "class", REPORT, "--tb=no", two.executor, "--backprop-timeout=40")
    resumed = run_pytest(tmp_path, *words, "--backprop-resume")
    assert "4 grades were taken from the journal report.json.journal" in resumed.section("backprop")
    assert [s["score"] for s in resumed.report["submissions"]] == [100, 100, 78, 100, 100]
    here = tmp_path / "here"
    here.mkdir()
    local = grade_folder(here, MIXED | {"a_endless_v1.py": RIGHT}, "--backprop-timeout=40")
    assert timeless(resumed) == timeless(local)


def test_a_submission_whose_workers_die_is_not_judged(two: DaskCluster, tmp_path: Path) -> None:
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", MIXED)
    process = start(tmp_path, two.executor, "--backprop-timeout=80000")
    try:
        wait_until(lambda: grades_on_disk(tmp_path) == 4, "the others were not graded")
        for worker in two.processes[1:]:
            os.kill(worker.pid, signal.SIGKILL)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
    run = Run(code, said(tmp_path), "", tmp_path)
    told = run.by_name["a_endless_v1.py"]
    assert told["status"] == "grader_error"
    assert {check["outcome"] for check in told["checks"]} == {"not_judged"}
    assert (
        told["message"] == "the grader failed: the Dask workers that had it died, one after another"
    )
    assert [s["score"] for s in run.report["submissions"]][1:] == [100, 78, 100, 100]
    assert "not judged: 1" in run.out


def test_a_scheduler_that_dies_ends_the_run(tmp_path: Path) -> None:
    cluster = DaskCluster(tmp_path / "cluster")
    cluster.worker("--no-nanny")
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", {"a_v1.py": RIGHT, "b_endless_v1.py": ENDLESS})
    process = start(tmp_path, cluster.executor, "--backprop-timeout=80000")
    try:
        wait_until(lambda: grades_on_disk(tmp_path) == 1, "nothing was graded")
        cluster.processes[0].kill()
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        cluster.close()
    run = Run(code, said(tmp_path), "", tmp_path)
    assert code == pytest.ExitCode.USAGE_ERROR
    assert f"the Dask scheduler {cluster.address} is gone" in run.out
    assert [(s["status"], s["score"]) for s in run.report["submissions"]] == [
        ("graded", 100),
        ("not_reached", 0),
    ]
