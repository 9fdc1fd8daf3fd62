"""How much may run here at a time."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import psutil

CGROUP = Path("/sys/fs/cgroup")
"""Of the container that this process runs in, or of the machine (version 2)."""


def processors() -> int:
    """Processors that this process may use: those that the kernel lets it run on, and no more than a container's
    quota is worth."""
    allowed = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError):
        quota, period = (CGROUP / "cpu.max").read_text(encoding="ascii").split()
        allowed = min(allowed, int(quota) // int(period))  # "max" is no number
    return max(1, allowed)


def free_memory() -> int:
    """Bytes that processes can still get, of the machine and of a container."""
    free = int(psutil.virtual_memory().available)
    with contextlib.suppress(OSError, ValueError):
        limit = int((CGROUP / "memory.max").read_text(encoding="ascii"))
        free = min(free, limit - int((CGROUP / "memory.current").read_text(encoding="ascii")))
    return max(0, free)


def at_a_time(memory: int) -> int:
    """How many submissions, each of which may take so many bytes."""
    return max(1, min(processors(), free_memory() // memory))
