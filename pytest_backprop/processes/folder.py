"""The folder in which a child may write: what lies in it, as the grader sees it from outside.

Names and what they lead to are a submission's, so no file is ever opened but to be emptied, and no
link is followed.
"""

from __future__ import annotations

import contextlib
import os
import stat
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
    for path, entry in _entries(folder):
        with contextlib.suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            plain = stat.S_ISREG(status.st_mode)
            if entry.is_dir(follow_symlinks=False) and path.count("/") < MAX_DEPTH:
                continue
            files.append(HeldFile(path, status.st_ino, status.st_size, plain))
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
    """Removes it with all that lies in it, however deep; leaves what cannot be removed."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        with contextlib.suppress(OSError):
            os.chmod(path, 0o700)
            with os.scandir(path) as entries:
                for entry in list(entries):
                    if not entry.is_dir(follow_symlinks=False):
                        os.unlink(entry.path)
                        continue
                    # up to the top, so that no path gets too long
                    higher = f"{folder}/{os.urandom(12).hex()}"
                    os.chmod(entry.path, 0o700)
                    os.rename(entry.path, higher)
                    waiting.append(higher)
            if path != folder:
                os.rmdir(path)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


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
