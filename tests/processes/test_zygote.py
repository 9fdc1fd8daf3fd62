"""What a zygote alone promises of those that it forks: the kernel finds what has left its parent, and several
processes share it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import psutil
import pytest
from test_worker import evidence, goes_on, run, told
from waiting import wait_for_the_end, wait_until

from pytest_backprop.errors import GraderFault
from pytest_backprop.processes.client import FORKS
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.supervisor import Outcome

pytestmark = pytest.mark.skipif(not FORKS, reason="this system does not fork")

LEAVES = """
import os, time
pid = os.fork()
if pid == 0:
    {first}
    time.sleep(10**6)
    os._exit(0)
told = pid
"""


@pytest.fixture(scope="module")
def worker() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def test_a_daemon_is_killed_too(worker: Zygote) -> None:
    pid = told(worker, LEAVES.format(first="os.setsid()"), sandbox=False)
    try:
        wait_for_the_end([pid])
    finally:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)


def test_a_zygote_that_is_killed_is_our_fault_and_the_next_run_works() -> None:
    fresh = Zygote()
    try:
        goes_on(fresh)
        first = fresh.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)  # between runs
        wait_for_the_end([first])
        goes_on(fresh)
        assert fresh.pid != first
        pid = fresh.pid
        assert pid is not None
        children: list[psutil.Process] = []

        def kill() -> None:
            wait_until(lambda: psutil.Process(pid).children(), "no child came")
            children.extend(psutil.Process(pid).children())
            os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(GraderFault, match="the process that forks others is gone"):
            run(fresh, "import time; time.sleep(10**6)")
        killer.join()
        wait_for_the_end(
            children
        )  # of a submission that could go on, to kill the next one's zygote
        goes_on(fresh)
    finally:
        fresh.close()


def test_what_one_leaves_behind_is_killed_while_another_runs(worker: Zygote) -> None:
    outcomes: list[Outcome] = []
    thread = threading.Thread(
        target=lambda: outcomes.append(run(worker, "import time; time.sleep(1.5)", points=1))
    )
    thread.start()
    wait_for_the_end([told(worker, LEAVES.format(first="os.setsid()"), sandbox=False)])
    thread.join()
    assert outcomes[0].how == "answered"


def test_a_child_cannot_kill_the_zygote(worker: Zygote) -> None:
    outcome = run(worker, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", points=1)
    fault = evidence(outcome).pass_runs[0].fault
    assert fault is not None
    assert fault.kind == "PermissionError"
    goes_on(worker)


def test_a_process_that_holds_the_pipes_does_not_keep_us(worker: Zygote) -> None:
    wait_for_the_end([told(worker, LEAVES.format(first="os.setpgid(0, 0)"), sandbox=False)])


def test_a_child_whose_asker_is_gone_is_ended(worker: Zygote) -> None:
    """As of a judge that is stopped while it waits."""
    goes_on(worker)
    before = set(psutil.Process(worker.pid).children())
    if (pid := os.fork()) == 0:
        try:
            run(worker, "import time; time.sleep(10**6)")
        finally:
            os._exit(0)

    def started() -> set[psutil.Process]:
        return set(psutil.Process(worker.pid).children()) - before

    wait_until(lambda: bool(started()), "no child came")
    children = list(started())
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_for_the_end(children)
    goes_on(worker)


def test_processes_share_the_socket(worker: Zygote) -> None:
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            os.write(writer, told(worker, "told = 'forked'").encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told_there:
        assert told_there.read() == b"forked"
    os.waitpid(pid, 0)
