"""`os.chmod` for a process to which the kernel refuses it: what is to have another mode is made anew with that.

Landlock does not know modes, so the sandbox takes `chmod` away for all files alike; but to give a file of one's
own the mode 0600 is one way to do what is asked here.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from typing import Any

DESCRIPTORS = range(4, 192)
"""Those that may be the student's: below are the standard ones and that of the answer."""

REPLACED = 192
"""The first of those, up to the sandbox's limit of 256, for files that were made anew while they were open: who maps
one has the old one still."""

_chmod, _fchmod = os.chmod, os.fchmod
_replaced: list[int] = []


def allow_modes(folder: str) -> None:
    """From here on `os.chmod` and `os.fchmod`, and what calls them, work on what lies in the folder."""

    def chmod(path: Any, mode: int, *given: Any, **options: Any) -> None:
        try:
            _chmod(path, mode, *given, **options)
        except PermissionError:
            name = _name_of(path) if isinstance(path, int) else os.path.realpath(os.fsdecode(path))
            if not name.startswith(folder + os.sep) or options.get("dir_fd") is not None:
                raise
            _made_anew(name, mode & 0o777)

    os.chmod = chmod
    os.fchmod = chmod  # type: ignore[assignment]


def _name_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")


def _made_anew(path: str, mode: int) -> None:
    new = f"{path}.{os.urandom(6).hex()}"
    before = os.umask(0)
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            os.mkdir(new, mode)
            for name in os.listdir(path):
                os.rename(f"{path}/{name}", f"{new}/{name}")
            os.rmdir(path)
            os.rename(new, path)
        else:
            _copy(path, new, mode, status)
            os.replace(new, path)
    finally:
        os.umask(before)


def _copy(path: str, new: str, mode: int, status: os.stat_result) -> None:
    """Also for those who have it open: their descriptors lead to the new one, at the same place in it."""
    copy = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    kept = None
    try:
        with open(path, "rb") as old:
            os.write(copy, old.read())
        for descriptor in DESCRIPTORS:
            with contextlib.suppress(OSError):
                theirs = os.fstat(descriptor)
                if (theirs.st_dev, theirs.st_ino) == (status.st_dev, status.st_ino):
                    if kept is None:
                        kept = _duplicate(descriptor)
                    place = os.lseek(descriptor, 0, os.SEEK_CUR)
                    os.dup2(copy, descriptor, inheritable=False)
                    os.lseek(descriptor, place, os.SEEK_SET)
    finally:
        os.close(copy)
        if kept is not None:
            _replaced.append(kept)


def _duplicate(descriptor: int) -> int | None:
    """Another one of the same file, out of the way; None where there are too many."""
    with contextlib.suppress(OSError):
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, REPLACED)
    return None


def empty_replaced() -> None:
    """Does to the old ones what the grader does to those that it sees: a map of one reads that."""
    for descriptor in _replaced:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
