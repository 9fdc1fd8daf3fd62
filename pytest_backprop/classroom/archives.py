"""Opens zips that nobody trusts.

What is unpacked gets a name of ours in a folder of ours: no name in a zip ever becomes a path, so none
leads out of that folder, and none meets another there. Only files that grading reads are unpacked.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import say
from .hand_in import HandInProblem
from .names import ARCHIVE, MODEL, SUBMISSIONS, is_junk, printable, some, suffix_of

MB = 1_000_000
FREE, RATIO = 4 * MB, 200
"""A file of more than FREE bytes that was packed more than RATIO times smaller is a bomb: text that
people wrote packs 3 to 20 times."""
_PIECE = 1 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _UTF8 = 0x1, 0x800


class ArchiveLimits(Struct, frozen=True):
    """How much of a zip is read, in bytes: the zip, its table of contents, one unpacked file, all
    unpacked files; and its number of entries."""

    archive: int
    table: int
    entries: int
    file: int
    total: int


STUDENT = ArchiveLimits(200 * MB, 4 * MB, 10_000, 50 * MB, 100 * MB)
CLASS = ArchiveLimits(4_000 * MB, 32 * MB, 100_000, 200 * MB, 4_000 * MB)


class BadArchive(Exception):
    """A zip as a whole is not taken."""

    def __init__(self, problem: HandInProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Member(Struct, frozen=True):
    """A file in a zip, by the path that it has there. `path` is where it was unpacked; without one
    it was not needed, or there is a `problem` with it."""

    parts: tuple[str, ...]
    path: str | None = None
    problem: HandInProblem | None = None


def unpack(source: Path, shown: str, into: Path, limits: ArchiveLimits) -> list[Member]:
    """The files of a zip, in the order of their names; those that grading needs are unpacked into
    the empty folder `into`. With the limits CLASS that is zips and Gradescope's list, too.

    Raises BadArchive for a zip that is none, or that is made to do harm: paths that lead out, two
    files of one name, files that overlap, more than `limits`. Raises UsageProblem if there is no
    room for it.
    """
    wanted = (*SUBMISSIONS, MODEL, *((ARCHIVE, ".yml") if limits == CLASS else ()))
    try:
        with _opened(source, shown) as file:
            _check_size(file, shown, limits)
            with zipfile.ZipFile(file) as archive:
                return _members(archive, shown, into, limits, wanted)
    except (BadArchive, UsageProblem):
        raise
    except Exception as error:  # zipfile raises eight kinds of them for damaged files
        raise _damaged(shown, error) from None


def _opened(source: Path, shown: str) -> IO[bytes]:
    """Never waits: a FIFO is refused."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    file = open(os.open(source, flags), "rb")  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _bad(
            "not-a-file",
            say("{name} is not an ordinary file", name=shown),
            say("hand in one .py or .ipynb file"),
        )
    return file


def _check_size(file: IO[bytes], shown: str, limits: ArchiveLimits) -> None:
    """Before zipfile reads the table of contents, all of it into memory."""
    size = os.fstat(file.fileno()).st_size
    if size > limits.archive:
        raise _bad(
            "too-large",
            say(
                "{name} is {size:.1f} MB large; at most {limit:g} MB are read",
                name=shown,
                size=size / MB,
                limit=limits.archive / MB,
            ),
            _way_out(),
        )
    file.seek(max(0, size - 65_535 - 200))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0:
        raise _damaged(shown, say("it is no zip, or its end is missing"))
    table = int.from_bytes(tail[at + 12 : at + 16], "little")
    if table == 0xFFFFFFFF:  # a zip of the large kind
        large = tail.rfind(b"PK\x06\x06", 0, at)
        table = int.from_bytes(tail[large + 40 : large + 48], "little") if large >= 0 else 2**64
    if table > limits.table:
        raise _too_many(shown, limits)


def _members(
    archive: zipfile.ZipFile, shown: str, into: Path, limits: ArchiveLimits, wanted: tuple[str, ...]
) -> list[Member]:
    infos = archive.infolist()
    if len(infos) > limits.entries:
        raise _too_many(shown, limits)
    _check_apart(infos, shown)
    named = [(parts, info) for parts, info in _named(infos, shown) if not is_junk(parts)]
    named.sort(key=lambda item: item[0])
    needed = [item for item in named if suffix_of(item[0][-1]) in wanted]
    _check_once([parts for parts, _ in needed], shown)
    room = limits.total
    members = []
    for parts, info in named:
        if suffix_of(parts[-1]) not in wanted:
            members.append(Member(parts))
            continue
        target = into / f"{len(members)}{suffix_of(parts[-1])}"
        name = f"{shown}/{'/'.join(parts)}"
        problem = _refused(info, name, limits) or _write(archive, info, name, target, limits, room)
        if problem is None:
            room -= target.stat().st_size
            members.append(Member(parts, str(target)))
        else:
            members.append(Member(parts, None, problem))
            if problem.kind == _FULL:
                raise BadArchive(problem)
    return members


def _named(
    infos: list[zipfile.ZipInfo], shown: str
) -> Iterator[tuple[tuple[str, ...], zipfile.ZipInfo]]:
    """Files with the parts of their paths. Windows writes backslashes."""
    for info in infos:
        name = _text(info)
        slashed = name.replace("\\", "/")
        parts = tuple(part for part in slashed.split("/") if part not in ("", "."))
        outside = slashed.startswith("/") or ".." in parts or re.match("[A-Za-z]:/", slashed)
        if outside or "\0" in name:
            raise _bad(
                "unsafe-archive",
                say(
                    "{name} has a file whose path leads out of it: {path}",
                    name=shown,
                    path=printable(name[:200]),
                ),
                _way_out(),
            )
        if parts and not slashed.endswith("/"):
            yield tuple(printable(part) for part in parts), info


def _text(info: zipfile.ZipInfo) -> str:
    """The name of an entry. Without a mark that it is UTF-8 it is in the code page of whoever
    packed it: UTF-8 from some programs, cp866 from a Russian Windows."""
    name = info.orig_filename
    if info.flag_bits & _UTF8 or name.isascii():
        return name
    raw = name.encode("cp437")  # as zipfile decoded it
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    russian = raw.decode("cp866")
    words = [word for word in re.findall(r"[^\W\d_]+", russian) if not word.isascii()]
    # Other code pages put their letters between Latin ones, or give no letters at all.
    if words and all(re.fullmatch("[А-Яа-яЁё]+", word) for word in words):
        return russian
    return name


def _check_apart(infos: list[zipfile.ZipInfo], shown: str) -> None:
    """Bombs of the better kind let many entries share the same packed bytes."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise _bad(
                "unsafe-archive",
                say("{name} has files that overlap: no program packs like that", name=shown),
                _way_out(),
            )
        end = info.header_offset + 30 + info.compress_size


def _check_once(names: list[tuple[str, ...]], shown: str) -> None:
    """Of two files with one name nobody knows which is meant; on some disks `HW.py` is `hw.py`."""
    counts = Counter(unicodedata.normalize("NFC", "/".join(name)).casefold() for name in names)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise _bad(
            "unsafe-archive",
            say("{name} has two files of the same name: {files}", name=shown, files=some(twice)),
            _way_out(),
        )


def _refused(info: zipfile.ZipInfo, name: str, limits: ArchiveLimits) -> HandInProblem | None:
    """Why a file is not even begun with."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return HandInProblem(
            "not-a-file",
            say("{name} is a link or a device, and not an ordinary file", name=name),
            say("hand in the file itself"),
        )
    if info.flag_bits & _ENCRYPTED:
        return HandInProblem(
            "encrypted",
            say("{name} is encrypted with a password", name=name),
            say("hand in the file itself, or a zip without a password"),
        )
    if info.compress_type not in _METHODS:
        return HandInProblem(
            "unknown-packing",
            say("{name} is packed in a way that is not read here", name=name),
            say("hand in the file itself, or an ordinary zip"),
        )
    if info.file_size > limits.file:
        return _large_file(name, info.file_size, limits)
    if info.file_size > FREE and info.file_size > RATIO * info.compress_size:
        return HandInProblem(
            "bomb",
            say(
                "{name} unpacks to {times} times its size; more than {limit} times is our limit",
                name=name,
                times=info.file_size // max(1, info.compress_size),
                limit=RATIO,
            ),
            _way_out(),
        )
    return None


_FULL = "too-large-archive"


def _write(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    name: str,
    target: Path,
    limits: ArchiveLimits,
    room: int,
) -> HandInProblem | None:
    """Unpacks one file. What the zip says of its size is not believed."""
    problem = None
    written = 0
    with open(target, "xb") as file:
        try:
            with archive.open(info) as packed:
                while piece := packed.read(_PIECE):
                    written += len(piece)
                    if written > min(room, limits.file):
                        problem = _large_file(name, written, limits)
                        if written > room:
                            problem = HandInProblem(
                                _FULL,
                                say(
                                    "{name} does not fit: at most {limit:g} MB of one zip are "
                                    "unpacked",
                                    name=name,
                                    limit=limits.total / MB,
                                ),
                                _way_out(),
                            )
                        break
                    _put(file, piece)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            ValueError,
            OSError,
            RuntimeError,
        ) as error:
            problem = _damaged(name, error).problem
    if problem is not None:
        target.unlink()
    return problem


def _put(file: IO[bytes], piece: bytes) -> None:
    try:
        file.write(piece)
        file.flush()
    except OSError as error:
        raise UsageProblem(
            say("no room to unpack a zip in {folder}: {reason}",
                folder=os.path.dirname(file.name), reason=error.strerror or error),
            say("make room there, or name another folder in the variable TMPDIR"),
        ) from None  # fmt: skip


def _large_file(name: str, size: int, limits: ArchiveLimits) -> HandInProblem:
    return HandInProblem(
        "too-large",
        say(
            "{name} is {size:.1f} MB large; at most {limit:g} MB are read",
            name=name,
            size=size / MB,
            limit=limits.file / MB,
        ),
        say("clear the outputs and take pictures and data out of the file, then save it again"),
    )


def _too_many(shown: str, limits: ArchiveLimits) -> BadArchive:
    return _bad(
        "too-many-files",
        say(
            "{name} holds too many files: our limit is {limit:,}", name=shown, limit=limits.entries
        ),
        say("take libraries, environments and data out of it, and pack it again"),
    )


def _damaged(shown: str, error: object) -> BadArchive:
    reason = str(error) or type(error).__name__
    if isinstance(error, OSError):
        reason = error.strerror or reason
    return _bad(
        "bad-archive",
        say("{name} cannot be unpacked: {reason}", name=shown, reason=printable(reason[:200])),
        say("pack it again, check that it opens, and hand it in; or hand in the file itself"),
    )


def _way_out() -> str:
    return say("hand in the .ipynb or .py file itself, or a zip of it made anew")


def _bad(kind: str, message: str, way_out: str) -> BadArchive:
    return BadArchive(HandInProblem(kind, message, way_out))
