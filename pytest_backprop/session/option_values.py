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


def _text(allowed: str | Callable[[str], bool], why: str, way_out: str) -> Parse:
    """A text that matches a pattern, or for which a function says so; blanks around it go."""
    is_allowed = re.compile(allowed).fullmatch if isinstance(allowed, str) else allowed

    def parse(text: str, base: Path) -> str:
        if not is_allowed(text.strip()):
            raise Refused(why, way_out)
        return text.strip()

    return parse


title = _text(r".+", "is not the name of a column", "give its heading, or the number in it")
kind = _text(PLUGGED_NAME, "is not the name of a kind of exercise", f"give one as {COURSE_KIND}")
class_name = _text(
    lambda text: text.isidentifier() and not keyword.iskeyword(text),
    "is not the name of a class",
    "give the name that follows `class`",
)
executor = _text(
    r"local(:[1-9][0-9]{0,3})?|dask:\S+",
    "is no place to grade at",
    f"give {LOCAL}, {LOCAL}:2 for two submissions at a time, or dask:ADDRESS as "
    "dask:tcp://host:8786",
)


def choice(*allowed: str) -> Parse:
    """One of `allowed`."""
    return _text(
        allowed.__contains__, "is not a choice there is", f"choose from {', '.join(allowed)}"
    )


def variant(text: str, base: Path) -> str:
    """A variant in the form `v8`."""
    match = re.fullmatch(r"[vV]?([0-9]{1,6})", text.strip())
    if not match:
        raise Refused("is not the name of a variant", "give one as v8")
    return f"v{int(match[1])}"


def whole(low: int, high: int) -> Parse:
    """A whole number in a range."""

    def parse(text: str, base: Path) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,30}", text.strip()) or not low <= int(text) <= high:
            raise Refused("is not a whole number in range", f"give one from {low:,} to {high:,}")
        return int(text)

    return parse


def _number(allowed: Callable[[float], bool], why: str, way_out: str) -> Parse:
    def parse(text: str, base: Path) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not allowed(value):
            raise Refused(why, way_out)
        return value

    return parse


tolerance = _number(
    lambda value: 0 <= value < math.inf,
    "is not a tolerance",
    "give a number, 0 or more, such as 5e-5",
)
seconds = _number(
    lambda value: 0 < value <= 86_400,
    "is not a time limit",
    "give seconds, above 0 and at most 86400 (a day)",
)


def memory_mb(text: str, base: Path) -> int:
    """An amount of memory, in MB."""
    match = re.fullmatch(
        r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:([MG])(?:I?B)?)?", text.strip().upper()
    )
    size = float(match[1]) * (1024 if match[2] == "G" else 1) if match else 0.0
    if not 1 <= size <= 2**20:
        raise Refused("is not an amount of memory", "give MB, as 2048 or 512M, or GB, as 2G")
    return int(size)


def path_of(text: str, base: Path) -> Path:
    """A path; relative ones are relative to `base`."""
    if not text.strip() or "\0" in text:
        raise Refused("is not a path", "give the path of a file or folder")
    return base / os.path.expanduser(text.strip())


def directory(text: str, base: Path) -> Path:
    """A folder that is there."""
    path = path_of(text, base)
    if not path.is_dir():
        raise Refused("is not a folder", "give the folder that holds the variants' files")
    return path
