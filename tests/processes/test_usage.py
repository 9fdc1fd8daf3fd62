"""Processes that a submission leaves behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from pytest_backprop.processes import usage
from pytest_backprop.processes.usage import kill_descendants

PARENT = """
import signal, subprocess, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # takes leave of its children at once
for _ in range(3):
    subprocess.Popen(["sleep", "1000000"])
print(flush=True)
time.sleep(10**6)
"""


@pytest.fixture
def parent() -> Iterator[psutil.Process]:
    started = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert started.stdout
    started.stdout.readline()
    process = psutil.Process(started.pid)
    yield process
    kill_descendants(process.pid)
    started.kill()
    started.communicate()


def test_all_are_killed(parent: psutil.Process) -> None:
    assert len(parent.children()) == 3
    kill_descendants(parent.pid)
    assert parent.children() == []
    assert parent.is_running()


def test_one_is_spared(parent: psutil.Process) -> None:
    spared, *_ = parent.children()
    kill_descendants(parent.pid, {spared.pid})
    assert parent.children() == [spared]


def test_one_that_ends_meanwhile_saves_no_other(
    parent: psutil.Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is gone between the moment it is found and that when its own children are asked for."""
    first, *_ = parent.children()
    children_of = usage.children_of
    asked = []

    def late(pid: int) -> list[int]:
        if pid == first.pid and not asked:
            asked.append(pid)
            first.kill()
            psutil.wait_procs([first])
        return children_of(pid)

    monkeypatch.setattr(usage, "children_of", late)
    kill_descendants(parent.pid)
    assert asked
    assert parent.children() == []
