"""Several workers, a worker that dies, a run that is interrupted: no grade is lost or doubled."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from plugin_samples import (
    CHECKS,
    ENDLESS,
    RIGHT,
    WRONG,
    Run,
    bank,
    environment,
    grade_folder,
    lay_out,
    notebook,
    pytest_command,
    timeless,
)
from waiting import wait_for_the_end, wait_until

CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_v1.ipynb": notebook(RIGHT),
    "d_empty_v1.py": "",
    "e_unknown_v9.py": RIGHT,
    "Ёлкин f_v1.py": WRONG,
}
COUNT = """
    import os

    def note(kind, path):
        with open("log.txt", "a", encoding="utf-8") as log:
            print(kind, os.environ.get("PYTEST_XDIST_WORKER", "main"), path, sep="|", file=log)

    def pytest_backprop_graded(config, grade):
        note("hook", grade.path)

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


def log_of(run: Run, kind: str) -> list[list[str]]:
    lines = (run.folder / "log.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|")[1:] for line in lines if line.startswith(f"{kind}|")]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(
        tmp_path_factory.mktemp("plain"), CLASS, "--backprop-report=html:pages", counting=COUNT
    )


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(
        tmp_path_factory.mktemp("spread"),
        CLASS,
        "-n2",
        "--backprop-report=html:pages",
        "--junitxml=junit.xml",
        "-rA",
        "-q",
        "--tb=no",
        "--no-header",
        counting=COUNT,
    )


def test_the_report_is_the_same_on_several_workers(plain: Run, spread: Run) -> None:
    assert (plain.code, spread.code) == (pytest.ExitCode.TESTS_FAILED,) * 2
    assert timeless(plain) == timeless(spread)
    assert len(plain.report["submissions"]) == len(CLASS)


def test_the_pages_are_the_same_on_several_workers(plain: Run, spread: Run) -> None:
    """What they draw travels from the workers with the grades."""
    one, other = (
        {page.name: page.read_bytes() for page in (run.folder / "pages/students").iterdir()}
        for run in (plain, spread)
    )
    assert one == other
    assert sum(b'id="graph-data"' in page for page in one.values()) == 4


def test_the_summary_is_the_same_on_several_workers(plain: Run, spread: Run) -> None:
    assert plain.section("backprop")[:-1] == spread.section("backprop")[:-1]


@pytest.mark.parametrize("which", ["plain", "spread"])
@pytest.mark.parametrize("kind", ["hook", "grading"])
def test_each_is_graded_once_and_told_once(
    which: str, kind: str, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(which)
    assert sorted(path for _, path in log_of(run, kind)) == sorted(f"class/{n}" for n in CLASS)


def test_both_workers_grade_and_the_main_process_tells(spread: Run) -> None:
    assert {worker for worker, _ in log_of(spread, "grading")} == {"gw0", "gw1"}
    assert {worker for worker, _ in log_of(spread, "hook")} == {"main"}


def test_junit_has_every_item(spread: Run) -> None:
    root = ElementTree.parse(spread.folder / "junit.xml").getroot()
    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(cases) == len(set(cases)) == len(CLASS) * len(CHECKS)
    suite = root.find("testsuite")
    assert suite is not None
    wrong = sum(1 for case in root.iter("testcase") if case.find("failure") is not None)
    assert int(suite.get("failures", "0")) == wrong
    assert f"{wrong} failed, {len(cases) - wrong} passed" in spread.out


def test_quiet_and_short_forms(spread: Run) -> None:
    assert "FAILURES" not in spread.out  # --tb=no
    assert "rootdir" not in spread.out  # --no-header
    for check in CHECKS:
        assert f"PASSED class/a_right_v1.py::{check}" in spread.out  # -rA
    assert "graded 5 of 6" in spread.out


# -- a worker dies -------------------------------------------------------------------------------

DIE = """
    import os

    def pytest_runtest_setup(item):
        if item.nodeid == "class/b_wrong_v1.py::gradient" and not os.path.exists("died"):
            open("died", "w").close()
            os._exit(9)
"""


@pytest.fixture(scope="module")
def bereft(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("bereft"), CLASS, "-n2", dying=DIE)


@pytest.mark.long
def test_a_dead_worker_loses_no_submission(bereft: Run, plain: Run) -> None:
    assert (bereft.folder / "died").exists()
    assert bereft.code == pytest.ExitCode.TESTS_FAILED
    assert set(bereft.by_name) == set(CLASS)
    scores = {name: s["score"] for name, s in bereft.by_name.items()}
    assert scores == {name: s["score"] for name, s in plain.by_name.items()}


# -- an interrupt --------------------------------------------------------------------------------

TELL = """
    import os, psutil

    def pytest_runtest_logreport(report):
        if "PYTEST_XDIST_WORKER" in os.environ:
            return  # the main process hears of it, too; two writers would take each other's file
        if report.nodeid == "class/a_right_v1.py::integrity" and report.when == "teardown":
            pids = [str(child.pid) for child in psutil.Process().children(recursive=True)]
            with open("first.part", "w") as file:
                file.write(" ".join(pids))
            os.replace("first.part", "first.txt")
"""


@pytest.fixture(
    scope="module",
    params=[pytest.param(how, marks=pytest.mark.long) for how in ("plain", "-n2")],
)
def interrupted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Ctrl-C while the second submission loops."""
    folder = tmp_path_factory.mktemp("interrupted")
    names = [f"{letter}_endless_v1.py" for letter in "bcdefg"]
    lay_out(folder, bank() | {"plugins/tell.py": "\n".join(line[4:] for line in TELL.split("\n"))})
    lay_out(folder / "class", {"a_right_v1.py": RIGHT} | dict.fromkeys(names, ENDLESS))
    words = ["-n2"] if request.param == "-n2" else []
    with subprocess.Popen(
        pytest_command(
            "--backprop",
            "class",
            "--backprop-report=json:report.json",
            "-p",
            "tell",
            "--backprop-timeout=80000",
            *words,
        ),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            wait_until((folder / "first.txt").exists, "the first was not graded")
            time.sleep(1)  # the next is running by now
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            out, err = process.communicate()
        finally:
            process.kill()
    return Run(process.returncode, out.decode(), err.decode(), folder)


def test_an_interrupt_still_writes_the_report(interrupted: Run) -> None:
    assert interrupted.by_name["a_right_v1.py"]["score"] == 100
    rest = [s for name, s in interrupted.by_name.items() if name != "a_right_v1.py"]
    assert len(rest) == 6
    assert {s["status"] for s in rest} == {"not_reached"}
    assert {s["message"] for s in rest} == {"the run ended before it was graded"}
    assert any(line.startswith("graded 1 of 7") for line in interrupted.section("backprop"))


def test_an_interrupt_ends_the_run(interrupted: Run) -> None:
    assert interrupted.code == pytest.ExitCode.INTERRUPTED


def test_an_interrupt_leaves_no_process_behind(interrupted: Run) -> None:
    pids = [int(word) for word in (interrupted.folder / "first.txt").read_text().split()]
    assert pids
    wait_for_the_end(pids)


@pytest.mark.long
def test_maxfail_on_workers_keeps_the_class(tmp_path: Path) -> None:
    files = {name: CLASS[name] for name in list(CLASS)[1:4]}
    run = grade_folder(tmp_path, files, "-n2", "--maxfail=1")
    assert set(run.by_name) == set(files)
    assert run.code in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
