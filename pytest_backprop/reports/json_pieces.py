"""JSON in pieces: that of a large class is much text, and nobody needs it all at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec


class Streamed(list[Any]):
    """A list for `json_pieces`, whose items are made as they are written."""

    def __init__(self, items: Iterable[Any], length: int) -> None:
        self._items = items
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)


def json_pieces(value: Any, indent: int) -> Iterator[str]:
    """JSON without NaN, ending in a line break."""
    encoder = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, indent=indent, default=msgspec.to_builtins
    )
    yield from encoder.iterencode(value)
    yield "\n"
