"""Parsers of options: the text and the directory it is relative to -> the value."""

from __future__ import annotations

import keyword
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..model import COURSE_KIND, PLUGGED_NAME

LOCAL = "local"
"""The executor that grades on this machine; with a number, so many submissions at a time."""


class Refused(Exception):
    """A value a parser does not take: why, and the way out."""


Parse = Callable[[str, Path], Any]


def whole(low: int, high: int) -> Parse:
    """A whole number in a range."""

    def parse(text: str, base: Path) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,30}", text.strip()) or not low <= int(text) <= high:
            raise Refused("is not a whole number in range", f"give one from {low:,} to {high:,}")
        return int(text)

    return parse


def tolerance(text: str, base: Path) -> float:
    """A tolerance: finite, 0 or more."""
    value = _float(text)
    if not 0 <= value < math.inf:
        raise Refused("is not a tolerance", "give a number, 0 or more, such as 5e-5")
    return value


def seconds(text: str, base: Path) -> float:
    """A time limit."""
    value = _float(text)
    if not 0 < value <= 86_400:
        raise Refused("is not a time limit", "give seconds, above 0 and at most 86400 (a day)")
    return value


def _float(text: str) -> float:
    """NaN, which no range holds, for what is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def memory_mb(text: str, base: Path) -> int:
    """An amount of memory, in MB."""
    match = re.fullmatch(
        r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:([MG])(?:I?B)?)?", text.strip().upper()
    )
    size = float(match[1]) * (1024 if match[2] == "G" else 1) if match else 0.0
    if not 1 <= size <= 2**20:
        raise Refused("is not an amount of memory", "give MB, as 2048 or 512M, or GB, as 2G")
    return int(size)


def variant(text: str, base: Path) -> str:
    """A variant in the form `v8`."""
    match = re.fullmatch(r"[vV]?([0-9]{1,6})", text.strip())
    if not match:
        raise Refused("is not the name of a variant", "give one as v8")
    return f"v{int(match[1])}"


def class_name(text: str, base: Path) -> str:
    """The name of a class."""
    name = text.strip()
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Refused("is not the name of a class", "give the name that follows `class`")
    return name


def path_of(text: str, base: Path) -> Path:
    """A path; relative ones are relative to `base`."""
    if not text.strip() or "\0" in text:
        raise Refused("is not a path", "give the path of a file or folder")
    return base / os.path.expanduser(text.strip())


def title(text: str, base: Path) -> str:
    """The heading of a column."""
    if not text.strip():
        raise Refused("is not the name of a column", "give its heading, or the number in it")
    return text.strip()


def directory(text: str, base: Path) -> Path:
    """A folder that is there."""
    path = path_of(text, base)
    if not path.is_dir():
        raise Refused("is not a folder", "give the folder that holds the variants' files")
    return path


def choice(*allowed: str) -> Parse:
    """One of `allowed`."""

    def parse(text: str, base: Path) -> str:
        value = text.strip()
        if value not in allowed:
            raise Refused("is not a choice there is", f"choose from {', '.join(allowed)}")
        return value

    return parse


def kind(text: str, base: Path) -> str:
    """The name of a kind of exercise, as plugins may give them."""
    if not re.fullmatch(PLUGGED_NAME, text.strip()):
        raise Refused("is not the name of a kind of exercise", f"give one as {COURSE_KIND}")
    return text.strip()


def executor(text: str, base: Path) -> str:
    """Where submissions are graded: LOCAL, `local:N`, or `dask:` and the address of a scheduler."""
    name = text.strip()
    if not re.fullmatch(r"local(:[1-9][0-9]{0,3})?|dask:\S+", name):
        raise Refused(
            "is no place to grade at",
            f"give {LOCAL}, {LOCAL}:2 for two submissions at a time, or dask:ADDRESS as "
            "dask:tcp://host:8786",
        )
    return name
