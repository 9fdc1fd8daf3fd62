"""Reads files whole, ordinary ones alone: a FIFO or a device may have no end, or never begin.

`read_text` reads what a teacher gives: a roster, a rubric, a task, a gradebook."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from pathlib import Path
from typing import IO

from .errors import UsageProblem

TEXT = 1_000_000
"""Bytes of a rubric or a task, at most: they have some hundred lines."""
TABLE = 32_000_000
"""Bytes of a roster or a gradebook, at most."""


class NotOrdinary(OSError):
    """A folder, a FIFO, a device."""


class FileTooLarge(OSError):
    """More than is read. `size` is in bytes, of a file that grows what was read of it."""

    def __init__(self, size: int, most: int) -> None:
        reason = f"it has {size / 1e6:.1f} MB, and at most {most / 1e6:g} MB are read"
        super().__init__(errno.EFBIG, reason)
        self.size = size


def open_ordinary(path: Path) -> IO[bytes]:
    """Opens an ordinary file to be read. Never waits.

    Raises OSError, of which NotOrdinary is one, and ValueError for a path with a NUL."""
    _check_ordinary(os.stat(path))
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    file = open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb")  # noqa: SIM115
    try:
        _check_ordinary(os.fstat(file.fileno()))  # it may have been exchanged meanwhile
    except NotOrdinary:
        file.close()
        raise
    return file


def ordinary_bytes(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file, at most `most`. Raises what `open_ordinary` does, and
    FileTooLarge."""
    with open_ordinary(path) as file:
        raw = file.read(most + 1)
        if len(raw) > most:
            raise FileTooLarge(max(os.fstat(file.fileno()).st_size, len(raw)), most)
    return raw


def _check_ordinary(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotOrdinary(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise NotOrdinary(errno.EINVAL, "it is not an ordinary file")


def teachers_bytes(path: Path, what: str, way_out: str, most: int = TEXT) -> bytes:
    """The bytes of a file that a teacher gives; `what` it is stands before its path in what is
    told.

    Raises UsageProblem."""
    try:
        return ordinary_bytes(path, most)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageProblem(f"{what} {path} cannot be read: {reason}", way_out) from None


def teachers_text(path: Path, what: str, way_out: str, most: int = TEXT) -> str:
    """The same as text: UTF-8, or UTF-16 with its mark. A mark is taken off."""
    raw = teachers_bytes(path, what, way_out, most)
    try:
        return unicode_text(raw)
    except UnicodeDecodeError as error:
        raise UsageProblem(
            f"{what} {path} cannot be read: it is not {error.encoding.upper()} text "
            f"(byte {error.start})",
            "save it as UTF-8",
        ) from None


def unicode_text(raw: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, as text without the mark. Raises UnicodeDecodeError."""
    utf_16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return raw.decode("utf-16" if utf_16 else "utf-8").removeprefix("\ufeff")
