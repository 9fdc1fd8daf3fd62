"""The memory of processes, read from outside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import psutil

LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Whether the kernel tells a process's children; psutil reads every process there is for that."""


def status_bytes(pid: int, *names: str) -> int:
    """The sum of these lines of a process's status, in bytes, as `RssAnon:` is what is resident and no file's; 0 where
    the kernel has none of them (proc_pid_status(5))."""
    total = 0
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        for line in status.splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * 1024
    return total


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as it lives."""
    pids = [pid]
    for each in pids:  # grows meanwhile
        pids += children_of(each)
    return pids


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory, of processes, as far as they live: what is theirs or shared in memory.

    Pages of files, libraries mostly, do not count: a forked process has none of them until it touches them.
    Where the kernel does not say, all that is resident, by psutil.
    """
    total = 0
    for pid in pids:
        private = status_bytes(pid, "RssAnon:", "RssShmem:")
        if not private:
            with contextlib.suppress(psutil.Error):
                private = psutil.Process(pid).memory_info().rss
        total += private
    return total


def children_of(pid: int) -> list[int]:
    """What a process has started itself, also those that ended and were not waited for."""
    children: list[int] = []
    if LISTS_CHILDREN:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                children += map(int, (thread / "children").read_text(encoding="ascii").split())
    else:
        with contextlib.suppress(psutil.Error):
            children = [child.pid for child in psutil.Process(pid).children()]
    return children
