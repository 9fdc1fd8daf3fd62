"""A rubric's file as TOML, and how what is wrong with a key of it is told."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ..errors import UsageProblem
from ..ordinary_files import teachers_text


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a rubric's file. Raises UsageProblem if it cannot be read, or is not TOML."""
    text = teachers_text(path, "rubric", "give --backprop-rubric the path of a TOML file")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # TOMLDecodeError is a ValueError whose text has the line and the column.
        raise UsageProblem(
            f"rubric {path} is not TOML: {error}", "see https://toml.io for the format"
        ) from None


def known(
    path: Path, prefix: str, table: dict[str, Any], names: Collection[str], what: str = "key"
) -> None:
    """Raises UsageProblem for the first key of a table that is none of `names`."""
    for key in table:
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            raise UsageProblem(
                f"rubric {path}: unknown {what} {prefix}{key}",
                (f"did you mean {prefix}{near[0]}? " if near else "")
                + f"known: {', '.join(names)}",
            )


def wrong(path: Path, where: str, value: object, wanted: str) -> UsageProblem:
    """The problem of a value that should be `wanted`."""
    text = repr(value).lower() if isinstance(value, bool) else repr(value)
    text = text if len(text) <= 60 else text[:59] + "…"
    return UsageProblem(f"rubric {path}: {where} is {text}", f"make it {wanted}")
