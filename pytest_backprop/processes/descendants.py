"""What descends from a process, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection

import psutil

KILL_ROUNDS = 100
"""What is killed may have started more meanwhile; each round finds what is left."""


def kill_descendants(process: psutil.Process, but: Collection[int] = ()) -> None:
    """Kills all that descends from a process and looks again until nothing of it is alive. `but`:
    the process ids of children that are spared, and all theirs."""
    for _ in range(KILL_ROUNDS):
        left = living_descendants(process, but)
        if not left:
            return
        for other in left:
            with contextlib.suppress(psutil.Error):
                other.kill()


def kill_group(pid: int) -> None:
    """Kills a process that leads a group, and the group."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)


def living_descendants(process: psutil.Process, but: Collection[int] = ()) -> list[psutil.Process]:
    """Those that are neither gone nor zombies."""
    found: list[psutil.Process] = []
    for child in _children(process):
        if child.pid not in but:
            found += [child, *_children(child, recursive=True)]
    return [other for other in found if _is_alive(other)]


def _children(process: psutil.Process, recursive: bool = False) -> list[psutil.Process]:
    # one that its parent takes leave of while we look must not end the search for the others
    with contextlib.suppress(psutil.Error):
        return list(process.children(recursive=recursive))
    return []


def _is_alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False
