"""The folder in which a child may write: what lies in it, as the grader sees it from outside.

Names and what they lead to are a submission's, so nothing is ever opened, and no link is followed.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator

from msgspec import Struct

MAX_ENTRIES = 2_000
"""Of files and folders in it; more count as more than any quota."""
MAX_DEPTH = 20
"""Of folders in folders; what lies deeper is not looked at."""


class HeldFile(Struct, frozen=True):
    """A file by its path in the folder. `number` is the same for names of one file. `plain` is
    False for links, pipes, devices and folders too deep to be looked at."""

    path: str
    number: int
    size: int
    plain: bool


def make_folder() -> str:
    """A new one, which nobody else may enter."""
    return os.path.realpath(tempfile.mkdtemp(prefix="backprop-"))


def held_files(folder: str) -> tuple[HeldFile, ...]:
    """All that lies in it but folders. What goes away meanwhile is left out."""
    files = []
    for path, status in _entries(folder):
        plain = stat.S_ISREG(status.st_mode)
        if not _is_listed(path, status):
            files.append(HeldFile(path, status.st_ino, status.st_size, plain))
    return tuple(sorted(files, key=lambda file: file.path))


def used(folder: str) -> int:
    """Bytes that the files have, with holes; more than any quota where there are too many."""
    statuses = [status for _, status in _entries(folder)]
    if len(statuses) >= MAX_ENTRIES:
        return 2**62
    files = [status for status in statuses if not stat.S_ISDIR(status.st_mode)]
    return sum(max(status.st_size, 512 * status.st_blocks) for status in files)


def remove_folder(folder: str) -> None:
    """Removes it with all that lies in it, also folders that are shut, or in folders so deep that
    no path leads there; leaves what cannot be removed."""
    for command in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
        subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)


def _entries(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Each by its path in the folder."""
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
                status = entry.stat(follow_symlinks=False)
                if _is_listed(path, status):
                    waiting.append(f"{path}/")
                yield path, status


def _is_listed(path: str, status: os.stat_result) -> bool:
    """Whether it is a folder that is looked into."""
    return stat.S_ISDIR(status.st_mode) and path.count("/") < MAX_DEPTH
