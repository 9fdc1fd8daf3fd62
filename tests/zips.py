"""Zips for tests: honest ones, and those that somebody made to do harm."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Mapping


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """An honest zip. It bears no time of its own: in a test's name that would be another in each worker of xdist."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def listed(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """A zip of these entries, whatever they are called, also twice the same."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries:
            archive.NameToInfo.clear()  # or it warns of what is meant here
            if isinstance(entry, str):
                name, entry = entry, zipfile.ZipInfo("x")
                entry.filename = name  # as it is: ZipInfo cuts names at a NUL
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    """An entry that is a symbolic link."""
    return special(name, stat.S_IFLNK, target.encode())


def special(name: str, kind: int, content: bytes = b"") -> tuple[zipfile.ZipInfo, bytes]:
    """An entry of a kind of `stat`'s."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o644) << 16
    return info, content


def encrypted(files: Mapping[str, str | bytes]) -> bytes:
    """A zip that says of its files that a password is needed."""
    raw = bytearray(zipped(files))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = raw.find(mark)
        while start >= 0:
            raw[start + at] |= 1
            start = raw.find(mark, start + 4)
    return bytes(raw)


def renamed(old: bytes, new: bytes, content: bytes, utf8: bool = False) -> bytes:
    """A zip of one file whose name has the bytes `new`; `old` is a name as long, in ASCII."""
    assert len(old) == len(new)
    raw = bytearray(zipped({old.decode(): content}).replace(old, new))
    if utf8:
        raw[7] |= 0x08
        raw[raw.find(b"PK\x01\x02") + 9] |= 0x08
    return bytes(raw)


def overlapping(content: bytes, times: int) -> bytes:
    """A bomb: many entries that share the same packed bytes, each with a name of its own."""
    one = zipped({"0000.py": content})
    start = one.find(b"PK\x01\x02")
    end = one.find(b"PK\x05\x06")
    record = one[start:end]
    table = b"".join(record.replace(b"0000.py", b"%04d.py" % n) for n in range(times))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, times, times, len(table), start, 0)
    return one[:start] + table + tail


def many(count: int) -> bytes:
    """A zip of so many empty files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.txt", b"")
    return made.getvalue()
