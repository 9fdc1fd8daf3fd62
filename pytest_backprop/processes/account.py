"""The memory of processes, read from outside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import psutil

LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Whether the kernel tells a process's children; psutil reads every process there is for that."""


def anonymous(pid: int) -> int:
    """Resident bytes of a process that are no file's, by the kernel (RssAnon); 0 where it does not say."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        for line in status.splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as it lives."""
    pids = [pid]
    for each in pids:  # grows meanwhile
        pids += children_of(each)
    return pids


def resident(pids: Iterable[int]) -> int:
    """Resident memory in bytes, by psutil, of processes, as far as they live."""
    total = 0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            total += psutil.Process(pid).memory_info().rss
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
