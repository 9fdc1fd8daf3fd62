"""What lies in a folder or in a zip, in one form for both.

Nobody trusts a zip. What is unpacked gets a name of ours in a folder of ours. No name in a zip ever
becomes a path, so none leads out of that folder. Only files that grading reads are unpacked, and
only so many bytes."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from msgspec import Struct

from ..errors import SubmissionProblem, UsageProblem
from ..messages import phrase, say
from ..ordinary_files import NotOrdinary, open_ordinary
from ..submission.read import not_ordinary, too_large
from .hand_in import HandInProblem
from .names import ARCHIVE, MODEL, SUBMISSIONS, is_gradable, is_junk, printable, some, suffix_of

MAX_DEPTH = 40
"""Folders in folders that are looked into."""

LINK = phrase("it is a link, and links are not followed")

Parts = tuple[str, ...]
Ignore = Callable[[Path], bool]


class File(Struct, frozen=True):
    """A file, by its parts from the top of the class, spelt out where they would not show. `path`
    is None in a zip if it was not unpacked; with a `problem` it cannot be read."""

    parts: Parts
    path: str | None
    problem: HandInProblem | None = None

    @property
    def name(self) -> str:
        """The last part: what the student calls it, or the LMS."""
        return self.parts[-1]

    @property
    def gradable(self) -> bool:
        """Whether it may be a submission or hold one."""
        return is_gradable(self.name)


def in_folder(
    folder: Path, root: Path, ignored: Ignore
) -> tuple[list[File], list[tuple[Parts, str]]]:
    """The files below a folder, in the order of their paths, named from `root`; and what was not
    looked at, with the reason: no link is followed, and nothing but folders is opened.

    Without hidden ones, and what `ignored` says."""
    files: list[File] = []
    passed_by: list[tuple[Parts, str]] = []

    def parts_of(path: str | Path) -> Parts:
        return tuple(map(printable, Path(path).relative_to(root).parts))

    def pass_by_unreadable(error: OSError) -> None:
        reason = say("it cannot be read: {reason}", reason=error.strerror or error)
        passed_by.append((parts_of(error.filename), reason))

    for place, inner, names in os.walk(folder, onerror=pass_by_unreadable):
        is_deepest = len(Path(place).relative_to(folder).parts) == MAX_DEPTH
        folders, inner[:] = set(inner), []
        for name in (*folders, *names):
            path, reason = Path(place, name), None
            if is_junk((name,)):
                continue
            if os.path.islink(path):
                reason = say(LINK)
            elif name not in folders and not os.path.isfile(path):
                reason = say("it is not an ordinary file")
            elif ignored(path):
                continue
            elif name not in folders:
                files.append(File(parts_of(path), str(path)))
            elif is_deepest:
                reason = say("it lies in more than {limit} folders", limit=MAX_DEPTH)
            else:
                inner.append(name)
            if reason is not None:
                passed_by.append((parts_of(path), reason))
    return sorted(files, key=lambda file: file.parts), passed_by


def shared(*paths: Parts) -> int:
    """How many parts several paths begin with alike."""
    same = (len(set(parts)) == 1 for parts in zip(*paths, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))


# -- zips -----------------------------------------------------------------------------------------


MB = 1_000_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others unpack a piece of 64 KB into gigabytes at once."""
_UTF8 = 0x800
ANEW = phrase("hand in the .ipynb or .py file itself, or a zip of it made anew")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What is told of a disk that is full."""


class ArchiveLimits(Struct, frozen=True):
    """How much of a zip is read: bytes of its table of contents, entries, bytes of one unpacked
    file and of all."""

    table: int
    entries: int
    file: int
    total: int


STUDENT = ArchiveLimits(4 * MB, 10_000, 50 * MB, 100 * MB)
CLASS = ArchiveLimits(32 * MB, 100_000, 200 * MB, 4_000 * MB)


def unpack(source: Path, shown: str, into: Path, limits: ArchiveLimits) -> list[File]:
    """The files of a zip, in the order of their names, by the paths that they have there. Those
    that grading needs are unpacked into the empty folder `into`; with the limits CLASS that is zips
    and Gradescope's list, too.

    Raises SubmissionProblem for a zip that cannot be opened, that has paths that lead out or two
    files of one name, or that is larger than `limits`. Raises UsageProblem if there is no room for
    it."""
    wanted = (*SUBMISSIONS, MODEL, *((ARCHIVE, ".yml") if limits == CLASS else ()))
    try:
        with open_ordinary(source) as file:
            if _table_size(file) > limits.table:
                raise _too_many(shown, limits)
            with zipfile.ZipFile(file) as archive:
                return _files(archive, shown, into, limits, wanted)
    except (SubmissionProblem, UsageProblem):
        raise
    except NotOrdinary:
        raise not_ordinary(shown) from None
    except Exception as error:  # zipfile raises eight kinds of them for damaged files
        raise _damaged(shown, error) from None


def _table_size(file: IO[bytes]) -> int:
    """Bytes of the table of contents, which zipfile would read into memory whole. Raises
    ValueError where there is none."""
    size = os.fstat(file.fileno()).st_size
    file.seek(max(0, size - 65_535 - 200))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0:
        raise ValueError(say("it is no zip, or its end is missing"))
    table = int.from_bytes(tail[at + 12 : at + 16], "little")
    if table == 0xFFFFFFFF:  # a zip of the large kind
        large = tail.rfind(b"PK\x06\x06", 0, at)
        table = int.from_bytes(tail[large + 40 : large + 48], "little") if large >= 0 else 2**64
    return table


def _files(
    archive: zipfile.ZipFile, shown: str, into: Path, limits: ArchiveLimits, wanted: tuple[str, ...]
) -> list[File]:
    entries = archive.infolist()
    if len(entries) > limits.entries:
        raise _too_many(shown, limits)
    named = [(parts, entry) for parts, entry in _named(entries, shown) if not is_junk(parts)]
    named.sort(key=lambda item: item[0])
    _check_once([parts for parts, _ in named if suffix_of(parts[-1]) in wanted], shown)
    room = limits.total
    files: list[File] = []
    for parts, entry in named:
        path = problem = None
        if suffix_of(parts[-1]) in wanted:
            target = into / f"{len(files)}{suffix_of(parts[-1])}"
            name = f"{shown}/{'/'.join(parts)}"
            if entry.file_size > room:
                words = {"name": name, "limit": limits.total / MB}
                text = say(
                    "{name} does not fit: at most {limit:g} MB of one zip are unpacked", **words
                )
                raise SubmissionProblem("too-large-archive", text, say(ANEW))
            try:
                _check_entry(entry, name, limits)
                _write(archive, entry, name, target)
                room -= entry.file_size
                path = str(target)
            except SubmissionProblem as bad:
                target.unlink(missing_ok=True)
                problem = HandInProblem(bad.kind, bad.message, bad.way_out)
        files.append(File(parts, path, problem))
    return files


def _named(entries: list[zipfile.ZipInfo], shown: str) -> Iterator[tuple[Parts, zipfile.ZipInfo]]:
    """Files with the parts of their paths. Windows writes backslashes."""
    for entry in entries:
        name = _text(entry)
        slashed = name.replace("\\", "/")
        parts = tuple(part for part in slashed.split("/") if part not in ("", "."))
        outside = slashed.startswith("/") or ".." in parts or re.match("[A-Za-z]:/", slashed)
        if outside or "\0" in name:
            words = {"name": shown, "path": printable(name[:200])}
            text = say("{name} has a file whose path leads out of it: {path}", **words)
            raise SubmissionProblem("unsafe-archive", text, say(ANEW))
        if parts and not slashed.endswith("/"):
            yield tuple(printable(part) for part in parts), entry


def _text(entry: zipfile.ZipInfo) -> str:
    """The name of an entry. Without a mark that it is UTF-8 it is in the code page of whoever
    packed it: UTF-8 from some programs, cp866 from a Russian Windows."""
    name = entry.orig_filename
    if entry.flag_bits & _UTF8 or name.isascii():
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


def _check_once(names: list[Parts], shown: str) -> None:
    """Of two files with one name nobody knows which is meant; on some disks `HW.py` is `hw.py`."""
    counts = Counter(unicodedata.normalize("NFC", "/".join(name)).casefold() for name in names)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise SubmissionProblem(
            "unsafe-archive",
            say("{name} has two files of the same name: {files}", name=shown, files=some(twice)),
            say(ANEW),
        )


def _check_entry(entry: zipfile.ZipInfo, name: str, limits: ArchiveLimits) -> None:
    """Refuses what is not even begun with. zipfile unpacks no more than `file_size` bytes, whatever
    follows, so that bombs are refused by it, too."""
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise SubmissionProblem(
            "not-a-file",
            say("{name} is a link or a device, and not an ordinary file", name=name),
            say("hand in the file itself"),
        )
    if entry.compress_type not in _METHODS:
        raise SubmissionProblem(
            "unknown-packing",
            say("{name} is packed in a way that is not read here", name=name),
            say("hand in the file itself, or an ordinary zip"),
        )
    if entry.file_size > limits.file:
        raise too_large(name, entry.file_size, limits.file)


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, target: Path) -> None:
    try:
        with archive.open(entry) as packed, open(target, "xb") as file:
            shutil.copyfileobj(packed, file)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL:
            raise no_room(target.parent, error) from None
        raise _damaged(name, error) from None


def no_room(folder: str | Path, error: OSError) -> UsageProblem:
    """The disk is full, which is no student's fault."""
    return UsageProblem(
        say(
            "no room to unpack a zip in {folder}: {reason}",
            folder=folder,
            reason=error.strerror or error,
        ),
        say("make room there, or name another folder in the variable TMPDIR"),
    )


def _too_many(shown: str, limits: ArchiveLimits) -> SubmissionProblem:
    return SubmissionProblem(
        "too-many-files",
        say(
            "{name} holds too many files: our limit is {limit:,}", name=shown, limit=limits.entries
        ),
        say("take libraries, environments and data out of it, and pack it again"),
    )


def _damaged(shown: str, error: object) -> SubmissionProblem:
    reason = str(error) or type(error).__name__
    if isinstance(error, OSError):
        reason = error.strerror or reason
    return SubmissionProblem(
        "bad-archive",
        say("{name} cannot be unpacked: {reason}", name=shown, reason=printable(reason[:200])),
        say("pack it again, check that it opens, and hand it in; or hand in the file itself"),
    )
