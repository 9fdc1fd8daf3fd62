"""What processes take of memory, time and disk, seen from outside, and how what descends from one
is ended.

In the folder in which a child may write, names and what they lead to are a submission's: nothing
but plain files is ever opened, and no link is followed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

import psutil
from msgspec import Struct

LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Whether the kernel tells a process's children; psutil reads every process there is for that."""
KILL_ROUNDS = 100
"""What is killed may have started more meanwhile; each round ends what is left."""
PATIENCE = 600.0
"""Seconds of the clock for what is ours: only what hangs takes so long, however busy the machine
is. What dies is seen at once."""


# -- which processes ------------------------------------------------------------------------------


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


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as it lives."""
    pids = [pid]
    for each in pids:  # grows meanwhile
        pids += children_of(each)
    return pids


def kill_descendants(pid: int, spared: Collection[int] = ()) -> None:
    """Kills all that descends from a process, until nothing of it is alive, except for the spared
    children and what these started."""
    for _ in range(KILL_ROUNDS):
        kept = {each for child in spared for each in family(child)}
        left = [each for each in family(pid)[1:] if each not in kept and _is_alive(each)]
        if not left:
            return
        for each in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """Kills a process that leads a group, and the group."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


# -- what they take -------------------------------------------------------------------------------


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory that processes have for themselves or share in memory, as far as they live.

    Pages of files, libraries mostly, do not count: a forked process has none of them until it
    touches them (proc_pid_status(5)). Where the kernel does not tell them apart, all that is
    resident counts."""
    total = 0
    for pid in pids:
        private = 0
        with contextlib.suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
            for line in status.splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    private += int(line.split()[1]) * 1024
        if not private:
            with contextlib.suppress(psutil.Error):
                private = psutil.Process(pid).memory_info().rss
        total += private
    return total


# -- the folder of a child ------------------------------------------------------------------------

MAX_ENTRIES = 2_000
"""Of files and folders in it; more count as more than any quota."""
MAX_DEPTH = 20
"""Of folders in folders; what lies deeper is not looked at."""


class HeldFile(Struct, frozen=True):
    """A file by its path in the folder. `number` is the same for names of one file, `size` its
    bytes, or those of the disk where these are more. `plain` is False for links, pipes, devices and
    folders too deep to be looked at."""

    path: str
    number: int
    size: int
    plain: bool


def make_folder() -> str:
    """A new one, which nobody else may enter."""
    return os.path.realpath(tempfile.mkdtemp(prefix="backprop-"))


def held_files(folder: str) -> tuple[HeldFile, ...]:
    """All that lies in it but folders. What goes away meanwhile is left out; where there are too
    many, the last has no end."""
    files = []
    waiting = [""]
    left = MAX_ENTRIES
    while waiting:
        inner = waiting.pop()
        entries: list[os.DirEntry[str]] = []
        with contextlib.suppress(OSError):
            entries = list(os.scandir(f"{folder}/{inner}"))[:left]
        left -= len(entries)
        for entry in entries:
            path = inner + entry.name
            with contextlib.suppress(OSError):
                status = os.lstat(entry.path)  # an entry of Windows has no number
                if stat.S_ISDIR(status.st_mode) and path.count("/") < MAX_DEPTH:
                    waiting.append(f"{path}/")
                    continue
                size = max(status.st_size, 512 * getattr(status, "st_blocks", 0))
                files.append(HeldFile(path, status.st_ino, size, stat.S_ISREG(status.st_mode)))
    files.sort(key=lambda file: file.path)
    if not left:
        files.append(HeldFile("", 0, 2**62, False))
    return tuple(files)


def used(folder: str) -> int:
    """Bytes that the files have, with holes."""
    return sum(file.size for file in held_files(folder))


def remove_folder(folder: str) -> None:
    """Removes it with all that lies in it, also folders that are shut, or in folders so deep that
    no path leads there; leaves what cannot be removed."""
    if shutil.which("rm") is None:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for command in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
        subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)
