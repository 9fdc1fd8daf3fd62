"""JSON in pieces: that of a large class is much text, and nobody needs it all at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def streamed(value: Any, indent: int, depth: int = 0) -> Iterator[str]:
    """What `json.dumps` would give for `value`, without NaN and with a line for each thing in it. An iterator
    in its objects is a list, whose items are made as they are written."""
    line = "\n" + " " * indent * (depth + 1)
    if isinstance(value, dict) and value:
        opening, closing = "{", "}"
        for name, item in value.items():
            yield f"{opening}{line}{json.dumps(name, ensure_ascii=False)}: "
            yield from streamed(item, indent, depth + 1)
            opening = ","
    elif isinstance(value, Iterator):
        opening, closing = "[", "]"
        for item in value:
            yield f"{opening}{line}{_indented(item, indent, line)}"
            opening = ","
        if opening == "[":
            yield "[]"
            return
    else:
        yield _indented(value, indent, line[: len(line) - indent])
        return
    yield f"{line[: len(line) - indent]}{closing}"


def _indented(value: Any, indent: int, line: str) -> str:
    # a text in JSON has no line break, so these are all between things
    return json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False).replace("\n", line)
