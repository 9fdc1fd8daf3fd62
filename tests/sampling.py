"""Which cases of a table `make test` runs; `make test-long` runs the others, marked `long`."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import pytest


def is_sampled(name: str, parts: int) -> bool:
    """Whether a case is one of about one in so many, by its name alone: a new case changes nothing for
    others."""
    return zlib.crc32(name.encode()) % parts == 0


def few(names: Iterable[Any], usual: Iterable[Any] = ()) -> list[Any]:
    """Parameters for all of a table: only the usual ones, the first without any, are not long."""
    names = list(names)
    kept = list(usual) or names[:1]
    return [n if n in kept else pytest.param(n, marks=pytest.mark.long) for n in names]
