"""The grader ends at many moments, in every way: no grade is lost, none counted twice, no file is
left half-written, no process stays, and `--backprop-resume` makes the report of one whole run."""

from __future__ import annotations

import signal
import subprocess
import textwrap
from pathlib import Path

import psutil
import pytest
from plugin_samples import (
    CLOSE,
    RIGHT,
    WRONG,
    Run,
    bank,
    environment,
    grade_folder,
    lay_out,
    notebook,
    pytest_command,
    run_pytest,
    timeless,
)
from waiting import PATIENCE, wait_for_the_end, wait_until

from pytest_backprop.resume import Journal

CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_v1.ipynb": notebook(RIGHT),
    "d_empty_v1.py": "",
    "e_unknown_v9.py": RIGHT,  # not judged, for no fault of the student's
    "f_exits_v1.py": RIGHT.replace(
        "        a = w0", "        import os; os._exit(3)\n        a = w0"
    ),
    "g_close_v1.py": CLOSE,
    "h_right_v1.py": RIGHT,
}
GRADE = ("--backprop", "class", "--backprop-report=json:report.json")
OLD = '{"schema_version": 1, "tool": {"name": "pytest-backprop"}, "submissions": []}'

END = """
    import os, signal, sys
    import psutil

    seen = set()

    def end():
        pids = [child.pid for child in psutil.Process().children(recursive=True)]
        with open("pids.txt", "w") as file:
            print(*pids, file=file)
        os.kill(os.getpid(), signal.{signal})

    def pytest_configure(config):
        if hasattr(config, "workerinput"):
            return

        class Ends:
            def pytest_runtest_logstart(self, nodeid):
                if "{moment}" == "0" and not seen:
                    end()

            def pytest_runtest_logreport(self, report):
                path = report.nodeid.rpartition("::")[0]
                if report.when == "call" and path not in seen:
                    seen.add(path)
                    if str(len(seen)) == "{moment}":
                        end()

        config.pluginmanager.register(Ends())
        sys.addaudithook(watch)

    def watch(event, arguments):
        if event == "os.rename" and "{moment}" == "report":
            if str(arguments[1]).endswith("report.json"):
                end()
"""
MOMENTS = [
    *[("SIGKILL", moment, "") for moment in ("0", "1", "8", "report")],
    *[("SIGTERM", moment, "") for moment in ("0", "6", "report")],
    *[("SIGINT", moment, "") for moment in ("3", "report")],
    *[(name, "3", "--backprop-executor=local:2") for name in ("SIGKILL", "SIGTERM")],
]
SOME = [("SIGKILL", "5", "")]
"""The moment that a run of `make test` has, too."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("whole"), CLASS)


@pytest.fixture(
    scope="module",
    params=[*SOME, *(pytest.param(moment, marks=pytest.mark.long) for moment in MOMENTS)],
    ids=" ".join,
)
def ended(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, str, Run]:
    name, moment, words = request.param
    folder = tmp_path_factory.mktemp(f"{name}-{moment}")
    lay_out(folder, {"report.json": OLD})
    plugin = textwrap.dedent(END).replace("{signal}", name).replace("{moment}", moment)
    # an interpreter: all that it starts descends from it, and nothing of that may stay
    run = grade_folder(folder, CLASS, *words.split(), interpreter=True, ends=plugin)
    return name, moment, run


@pytest.fixture(scope="module")
def resumed(ended: tuple[str, str, Run]) -> Run:
    folder = ended[2].folder
    lay_out(folder, {"first.json": (folder / "report.json").read_bytes()})
    return run_pytest(folder, *GRADE, "--backprop-resume")


def test_the_journal_has_what_was_graded(ended: tuple[str, str, Run], whole: Run) -> None:
    _, moment, run = ended
    contents = Journal(run.folder / "report.json.journal").entries()
    assert len(contents) >= (len(CLASS) if moment == "report" else int(moment))
    scores = {Path(name).name: entry.grade.score for name, entry in contents.items()}
    assert scores == {name: whole.by_name[name]["score"] for name in scores}


def test_the_report_is_whole_or_the_old_one(ended: tuple[str, str, Run], whole: Run) -> None:
    name, moment, run = ended
    if name == "SIGKILL":
        assert run.code == -signal.SIGKILL
        assert (run.folder / "report.json").read_text() == OLD
        return
    told = {s["path"]: s for s in timeless(run)["submissions"]}
    expected = {s["path"]: s for s in timeless(whole)["submissions"]}
    assert set(told) == set(expected)
    left = {
        path for path, s in told.items() if s["message"] == "the run ended before it was graded"
    }
    assert {told[path]["status"] for path in left} <= {"not_reached"}
    assert {p: s for p, s in told.items() if p not in left} == {
        p: s for p, s in expected.items() if p not in left
    }
    if moment == "report":  # it ends anyway, and the report is finished first
        assert left == set()
        assert run.code == pytest.ExitCode.TESTS_FAILED
    else:
        assert run.code == pytest.ExitCode.INTERRUPTED
        assert len(left) <= len(CLASS) - int(moment)
    hint = "not graded: the same command with --backprop-resume goes on"
    assert any(hint in line for line in run.section("backprop")) == bool(left)


def test_no_process_stays(ended: tuple[str, str, Run]) -> None:
    pids = [int(word) for word in (ended[2].folder / "pids.txt").read_text().split()]
    assert pids
    wait_for_the_end(pids)


def test_the_next_run_makes_the_same_report(resumed: Run, whole: Run) -> None:
    assert timeless(resumed) == timeless(whole)
    assert resumed.code == whole.code


def test_the_next_run_grades_nothing_twice(
    ended: tuple[str, str, Run], resumed: Run, whole: Run
) -> None:
    _, moment, _ = ended
    done = len(CLASS) if moment == "report" else int(moment)
    told = [line for line in resumed.section("backprop") if "taken from the journal" in line]
    taken = int(told[0].split()[0]) if told else 0
    assert taken >= done - 1  # e_unknown, a fault of ours, is graded again
    entries = Journal(resumed.folder / "report.json.journal").entries()
    assert {Path(name).name: entry.grade.score for name, entry in entries.items()} == {
        name: s["score"] for name, s in whole.by_name.items()
    }


def test_no_file_is_left_over(ended: tuple[str, str, Run], resumed: Run) -> None:
    names = {path.name for path in resumed.folder.iterdir() if path.is_file()}
    assert names == {"report.json", "first.json", "pids.txt"}


# -- in the middle of a submission that sleeps ---------------------------------------------------

SLEEPS = RIGHT.replace("        a = w0 * x1\n", "        import time; time.sleep(10**6)\n")


def descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def running_submissions(pid: int) -> list[int]:
    """The children of the zygote of submissions, which the zygote of judges has started."""
    zygotes = [zygote for judges in children(pid) for zygote in children(judges.pid)]
    return [child.pid for zygote in zygotes for child in children(zygote.pid)]


def children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children()
    except psutil.NoSuchProcess:
        return []


def wait_for(what: str, folder: Path, process: subprocess.Popen[bytes], lines: int) -> None:
    """Until so many grades are in the journal and a child runs a submission."""
    journal = folder / "report.json.journal"

    def came() -> bool:
        assert process.poll() is None, f"{what}: it ended"
        written = len(list(journal.glob("*.json")))
        # xdist's workers, too
        pytests = [process.pid, *(each.pid for each in children(process.pid))]
        return written >= lines and any(map(running_submissions, pytests))

    wait_until(came, f"{what}: it never came that far")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SIGKILL", ""),
        *[
            pytest.param(name, words, marks=pytest.mark.long)
            for name, words in (
                ("SIGTERM", ""),
                ("SIGINT", ""),
                ("SIGKILL", "--backprop-executor=local:2"),
                ("SIGTERM", "--backprop-executor=local:2"),
            )
        ],
    ],
)
def test_a_child_that_sleeps_does_not_outlive_the_grader(
    tmp_path: Path, name: str, words: str, whole: Run
) -> None:
    slow = {"b_sleeps_v1.py": SLEEPS, "c_sleeps_v1.py": SLEEPS}
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", {"a_right_v1.py": RIGHT} | slow)
    command = pytest_command(*GRADE, "--backprop-timeout=80000", *words.split())
    with (
        open(tmp_path / "out.txt", "wb") as out,
        subprocess.Popen(
            command, cwd=tmp_path, env=environment(tmp_path), stdout=out, stderr=out
        ) as process,
    ):
        try:
            wait_for(name, tmp_path, process, lines=1)
            pids = [child.pid for child in descendants(process.pid)]
            process.send_signal(getattr(signal, name))
            code = process.wait(PATIENCE)
        finally:
            process.kill()
    assert len(pids) >= 2
    wait_for_the_end(pids)
    expected = -signal.SIGKILL if name == "SIGKILL" else pytest.ExitCode.INTERRUPTED
    assert code == expected
    lay_out(tmp_path / "class", dict.fromkeys(slow, RIGHT))
    run = run_pytest(tmp_path, *GRADE, "--backprop-timeout=80000", "--backprop-resume")
    assert "1 grade was taken from the journal report.json.journal" in run.section("backprop")
    assert {s["score"] for s in run.by_name.values()} == {100}


# -- the zygote ----------------------------------------------------------------------------------

KILL = """
    import threading, time
    import psutil

    def wait_and_kill():
        while True:
            for judges in psutil.Process().children():
                for submissions in judges.children():
                    if submissions.children():  # one runs
                        open("killed.txt", "w").close()
                        return {zygote}.kill()
            time.sleep(0.01)

    def pytest_collection_finish(session):
        threading.Thread(target=wait_and_kill, daemon=True).start()
"""
SLOW = RIGHT.replace(
    "        super().__init__()\n",
    "        super().__init__()\n        import time; time.sleep(1)\n",
)
KILLS_PARENT = RIGHT.replace(
    "        a = w0 * x1\n", "        import os; os.kill(os.getppid(), 9)\n        a = w0 * x1\n"
)


@pytest.mark.long
@pytest.mark.parametrize("zygote", ["submissions", "judges"])
def test_a_zygote_that_is_killed_costs_what_it_has_at_work_alone(
    tmp_path: Path, zygote: str
) -> None:
    """Which is no zero, and is graded when the run goes on."""
    files = {"a_slow_v1.py": SLOW, "b_right_v1.py": RIGHT, "c_right_v1.py": RIGHT}
    words = ("--backprop-executor=local:1",)
    run = grade_folder(
        tmp_path, files, *words, interpreter=True, killing=KILL.format(zygote=zygote)
    )
    assert (tmp_path / "killed.txt").exists()
    lost = run.by_name["a_slow_v1.py"]
    assert (lost["status"], {c["outcome"] for c in lost["checks"]}) == (
        "grader_error",
        {"not_judged"},
    )
    assert "the process that forks others is gone" in lost["message"]
    assert [run.by_name[name]["score"] for name in files][1:] == [100, 100]
    again = run_pytest(tmp_path, *GRADE, *words, "--backprop-resume")
    assert "2 grades were taken from the journal report.json.journal" in again.section("backprop")
    assert {s["score"] for s in again.by_name.values()} == {100}


@pytest.mark.long
def test_who_kills_every_zygote_is_not_judged_and_the_rest_is(tmp_path: Path) -> None:
    """Without a sandbox a submission can."""
    files = {"a_right_v1.py": RIGHT, "b_kills_v1.py": KILLS_PARENT, "c_right_v1.py": RIGHT}
    words = ("--backprop-sandbox=off", "--backprop-executor=local:1")
    run = grade_folder(tmp_path, files, *words, interpreter=True)
    told = run.by_name["b_kills_v1.py"]
    assert told["status"] == "grader_error"
    assert {c["outcome"] for c in told["checks"]} == {"not_judged"}
    assert "the process that forks others is gone" in told["message"]
    assert [run.by_name[name]["score"] for name in ("a_right_v1.py", "c_right_v1.py")] == [100, 100]
    entries = Journal(tmp_path / "report.json.journal").entries()
    assert entries["class/b_kills_v1.py"].grade.status == "grader_error"  # for the record
    again = run_pytest(tmp_path, *GRADE, *words, "--backprop-resume")
    assert "2 grades were taken from the journal report.json.journal" in again.section("backprop")
    assert timeless(again) == timeless(run)
