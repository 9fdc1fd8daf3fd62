"""The folder in which a child may write: what lies in it, as the grader sees it from outside.

Names and what they lead to are a submission's, so nothing but plain files is ever opened, and no
link is followed.
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
MAX_READ = 4 * 2**20
"""Bytes of a file's content that are read."""


class HeldFile(Struct, frozen=True):
    """A file by its path in the folder. `number` is the same for names of one file. `plain` is
    False for links, pipes, devices and folders too deep to be looked at."""

    path: str
    number: int
    size: int
    plain: bool
    content: bytes = b""


def make_folder() -> str:
    """A new one, which nobody else may enter."""
    return os.path.realpath(tempfile.mkdtemp(prefix="backprop-"))


def held_files(folder: str, contents: bool = True) -> tuple[HeldFile, ...]:
    """All that lies in it but folders; with `contents` also what is in the files, as far as that is
    read. What goes away meanwhile is left out."""
    files = []
    for path, entry in _entries(folder):
        with contextlib.suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            plain = stat.S_ISREG(status.st_mode)
            if entry.is_dir(follow_symlinks=False) and path.count("/") < MAX_DEPTH:
                continue
            files.append(
                HeldFile(
                    path,
                    status.st_ino,
                    status.st_size,
                    plain,
                    _content(entry.path) if plain and contents else b"",
                )
            )
    return tuple(sorted(files, key=lambda file: file.path))


def used(folder: str) -> int:
    """Bytes that the files have, with holes; more than any quota where there are too many."""
    total = count = 0
    for _, entry in _entries(folder):
        count += 1
        with contextlib.suppress(OSError):
            if not entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                total += max(status.st_size, 512 * status.st_blocks)
    return total if count < MAX_ENTRIES else 2**62


def empty_files(folder: str) -> None:
    """Takes away the content of each file, which keeps its name."""
    for _, entry in _entries(folder):
        with contextlib.suppress(OSError):
            if stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                os.chmod(entry.path, 0o600, follow_symlinks=True)
                os.truncate(entry.path, 0)


def remove_folder(folder: str) -> None:
    """Removes it with all that lies in it, also folders that are shut, or in folders so deep that
    no path leads there; leaves what cannot be removed."""
    for command in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
        subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)


def _entries(folder: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Each with its path in the folder."""
    waiting = [""]
    count = 0
    while waiting:
        inner = waiting.pop()
        try:
            entries = list(os.scandir(f"{folder}/{inner}"))
        except OSError:
            continue
        for entry in entries:
            count += 1
            if count > MAX_ENTRIES:
                return
            path = inner + entry.name
            yield path, entry
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False) and path.count("/") < MAX_DEPTH:
                    waiting.append(f"{path}/")


def _content(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_READ)
