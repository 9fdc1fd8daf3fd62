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

PYTHON_VERSION = re.compile(r"3\.[0-9]{1,2}")


class Refused(Exception):
    """A value a parser does not take: why, and the way out."""


Parse = Callable[[str, Path], Any]


def _value(
    read: Callable[[str], Any], allowed: Callable[[Any], bool], why: str, way_out: str
) -> Parse:
    """What `read` makes of the text, without blanks around it, where it raises no ValueError and
    the value is allowed."""

    def parse(text: str, base: Path) -> Any:
        try:
            value = read(text.strip())
        except ValueError:
            raise Refused(why, way_out) from None
        if not allowed(value):
            raise Refused(why, way_out)
        return value

    return parse


def _text(pattern: str, why: str, way_out: str) -> Parse:
    """A text of a pattern."""
    return _value(str, lambda text: re.fullmatch(pattern, text) is not None, why, way_out)


def choice(*allowed: str) -> Parse:
    """One of `allowed`."""
    return _value(
        str, allowed.__contains__, "is not a choice there is", f"choose from {', '.join(allowed)}"
    )


def whole(low: int, high: int) -> Parse:
    """A whole number in a range."""
    return _value(
        lambda text: int(text) if re.fullmatch(r"[+-]?[0-9]{1,30}", text) else math.nan,
        lambda number: low <= number <= high,
        "is not a whole number in range",
        f"give one from {low:,} to {high:,}",
    )


def _megabytes(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:([MG])(?:I?B)?)?", text.upper())
    return int(float(match[1]) * (1024 if match[2] == "G" else 1)) if match else 0


title = _text(r".+", "is not the name of a column", "give its heading, or the number in it")
kind = _text(PLUGGED_NAME, "is not the name of a kind of exercise", f"give one as {COURSE_KIND}")
class_name = _value(
    str,
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
variant = _value(
    lambda text: re.sub("^[vV]?0*(?=[0-9])", "v", text),
    lambda name: re.fullmatch("v[0-9]{1,6}", name) is not None,
    "is not the name of a variant",
    "give one as v8",
)
tolerance = _value(
    float,
    lambda number: 0 <= number < math.inf,
    "is not a tolerance",
    "give a number, 0 or more, such as 5e-5",
)
seconds = _value(
    float,
    lambda number: 0 < number <= 86_400,
    "is not a time limit",
    "give seconds, above 0 and at most 86400 (a day)",
)
memory_mb = _value(
    _megabytes,
    lambda size: 1 <= size <= 2**20,
    "is not an amount of memory",
    "give MB, as 2048 or 512M, or GB, as 2G",
)


def path_of(text: str, base: Path) -> Path:
    """A path; relative ones are relative to `base`."""
    if not text.strip() or "\0" in text:
        raise Refused("is not a path", "give the path of a file or folder")
    return base / os.path.expanduser(text.strip())


def python(text: str, base: Path) -> str:
    """A version of Python as it is, or the path of an interpreter."""
    return text.strip() if PYTHON_VERSION.fullmatch(text.strip()) else str(path_of(text, base))


def directory(text: str, base: Path) -> Path:
    """A folder that is there."""
    path = path_of(text, base)
    if not path.is_dir():
        raise Refused("is not a folder", "give the folder that holds the variants' files")
    return path
