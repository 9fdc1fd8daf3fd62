"""The journal: a line for each finished submission, on disk before the next one is graded.

It lies beside the report and holds the last grade of each submission, with all that the grade
depends on. A line has a checksum: one that a crash cut short is seen and dropped. Nothing here
decides a grade.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from ..errors import UsageProblem
from ..messages import say
from ..model import Grade
from ..model.formats import is_folder
from ..options import ReportTarget
from .fingerprint import Entry, Key

SUFFIX = ".journal"


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    checksum: str
    entry: Raw


class LineSpan(NamedTuple):
    """Where a line is in the file, and how long it is with its break, in bytes."""

    offset: int
    size: int


class Entries(Mapping[str, Entry]):
    """The last entry of each submission in a journal, by its path, as of when the journal was read.

    Only the places of their lines are in memory: an entry is read when it is asked for. One whose line cannot
    be read any more, or is not what was written, is not there. `damaged` counts lines that are not what was written; `whole` is
    whether the file is these entries and nothing else.
    """

    def __init__(self, path: Path) -> None:
        """Reads the whole file. Raises OSError."""
        self.spans: dict[str, LineSpan] = {}
        self.damaged = 0
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        offset = lines = 0
        torn = False
        with open(self._file, "rb", closefd=False) as file:
            for line in file:
                torn = not line.endswith(b"\n")
                entry = None if torn else entry_of(line)
                if entry is not None:
                    self.spans[entry.key.submission] = LineSpan(offset, len(line))
                elif not torn:
                    self.damaged += 1
                offset += len(line)
                lines += 1
        self.whole = not torn and lines == len(self.spans)

    def __getitem__(self, submission: str) -> Entry:
        span = self.spans[submission]
        with contextlib.suppress(OSError):
            if (entry := entry_of(_line_at(self._file, span))) is not None:
                return entry
        raise KeyError(submission)

    def __iter__(self) -> Iterator[str]:
        return iter(self.spans)

    def __len__(self) -> int:
        return len(self.spans)

    def lines(self) -> Iterator[bytes]:
        """The entries as they stand in the file."""
        return (_line_at(self._file, span) for span in self.spans.values())


def place(reports: Iterable[ReportTarget]) -> Path | None:
    """Where the journal of a run lies: beside the first report that is an ordinary file, or will be, else
    beside the first folder. None without one."""
    written = [target for target in reports if target.path.is_file() or not target.path.exists()]
    folders = [target for target in reports if is_folder(target.format)]
    files = [target for target in written if not is_folder(target.format)]
    for target in (*files, *folders):
        return target.path.with_name(target.path.name + SUFFIX)
    return None


def read_journal(path: Path) -> Entries:
    """What a journal holds; nothing if there is none. Raises UsageProblem if it cannot be read."""
    try:
        return Entries(path if _is_there(path) else Path(os.devnull))
    except OSError as error:
        raise _unusable(path, error) from None


class Journal:
    """A journal in use. One process at a time has it; `close` it when done.

    `entries` is what it held when it was opened, `damaged` counts lines that were not what was written.
    """

    def __init__(self, path: Path) -> None:
        """Makes the file if it is not there. What was in it stays.

        Raises UsageProblem if another run has it, or if it cannot be read or written.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _is_there(path)
            self._file = _locked(path)
        except OSError as error:
            raise _unusable(path, error) from None
        try:
            self.entries = read_journal(path)
            self.damaged = self.entries.damaged
            if not self.entries.whole:
                self._tidy()
                self.entries = read_journal(path)
            self._last = dict(self.entries.spans)
            self._end = os.fstat(self._file).st_size
        except BaseException:
            self.close()
            raise

    def append(self, key: Key, grade: Grade) -> None:
        """Writes one grade through to the disk, unless it is the last one here of its submission.

        Raises OSError if that fails; what was there before is then as it was.
        """
        line = line_of(Entry(1, key, grade))
        last = self._last.get(key.submission)
        if last is not None and _line_at(self._file, last) == line:
            return
        try:
            _write(self._file, [line])
            self._last[key.submission] = LineSpan(self._end, len(line))
        except BaseException:  # an interrupt may come after the last byte
            with contextlib.suppress(OSError):  # else the next reader drops the half line
                if os.fstat(self._file).st_size != self._end + len(line):
                    os.ftruncate(self._file, self._end)
            raise
        finally:
            self._end = os.fstat(self._file).st_size

    def close(self) -> None:
        """Lets others have it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _tidy(self) -> None:
        """Leaves the last entry of each submission alone in the file, all at once."""
        temporary = self.path.with_name(f".{self.path.name}.tmp")
        fresh = -1
        try:
            temporary.unlink(missing_ok=True)  # of a run that was killed right here
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
            fresh = os.open(temporary, flags, 0o600)
            _lock(fresh)  # before it has the name that others look for
            _write(fresh, self.entries.lines())
            os.replace(temporary, self.path)
        except OSError:
            # a full disk, most likely: it will do as it is, but for a line that was cut short
            if fresh >= 0:
                os.close(fresh)
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            _end_last_line(self._file)
            return
        self._file, old = fresh, self._file
        os.close(old)
        _sync_folder(self.path)


# -- lines --------------------------------------------------------------------------------------


def line_of(entry: Entry) -> bytes:
    """An entry as it is written, with a checksum and a line break."""
    body = msgspec.json.encode(entry)
    return msgspec.json.encode(_Line(_checksum(body), Raw(body))) + b"\n"


def entry_of(line: bytes) -> Entry | None:
    """The entry of a line; None for one that is not what was written."""
    try:
        read = msgspec.json.decode(line, type=_Line)
        body = bytes(read.entry)
        if read.checksum != _checksum(body):
            return None
        entry = msgspec.json.decode(body, type=Entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return entry if entry.grade.path == entry.key.submission else None


def _line_at(file: int, span: LineSpan) -> bytes:
    return os.pread(file, span.size, span.offset)


def _checksum(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


# -- the file -----------------------------------------------------------------------------------


def _is_there(path: Path) -> bool:
    """Raises OSError for what is there and no ordinary file: reading it may never end."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, say("it is not an ordinary file"))
    return True


def _locked(path: Path) -> int:
    """A descriptor of the file that has the name `path` now, and the lock on it."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _lock(file)
            if _has_name(file, path):
                _sync_folder(path)
                return file
        except BlockingIOError:
            os.close(file)
            raise UsageProblem(
                say("another run is writing to the journal {journal}", journal=path),
                say("wait until it ends, or give this one another --backprop-report"),
            ) from None
        os.close(file)  # it was exchanged for a tidied one in between


def _has_name(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def _lock(file: int) -> None:
    import fcntl  # not on Windows, where nothing is graded

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return  # a file system without locks


def _write(file: int, lines: Iterable[bytes]) -> None:
    for data in lines:
        while data:
            data = data[os.write(file, data) :]
    os.fsync(file)


def _end_last_line(file: int) -> None:
    """Cuts off what follows the last line break."""
    size = os.fstat(file).st_size
    data = os.pread(file, size, 0)
    with contextlib.suppress(OSError):
        os.ftruncate(file, data.rfind(b"\n") + 1)


def _sync_folder(path: Path) -> None:
    """Makes the file's name outlive a power cut, where folders can be synced."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _unusable(path: Path, error: OSError) -> UsageProblem:
    return UsageProblem(
        say(
            "the journal {journal} cannot be used: {reason}",
            journal=path,
            reason=error.strerror or error,
        ),
        say("give --backprop-report a path in a folder you may write to"),
    )
