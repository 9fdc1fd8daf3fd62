"""The JSON report and its published JSON Schema; and reading one back: is it ours, whose grades has
it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UsageProblem
from ..messages import say
from .document import Document

SCHEMA_FILE = Path(__file__).with_name("schema-v1.json")
"""The schema as shipped; `schema_text` makes it."""


def render(document: Document) -> str:
    """The report as JSON: keys in schema order, indented by 2, ending in a line break."""
    return as_json(msgspec.to_builtins(document))


def schema_text() -> str:
    """What `SCHEMA_FILE` must hold: the JSON Schema (2020-12) of the report, made from the
    types."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pytest-backprop report, schema version 1",
    }
    return as_json(head | msgspec.json.schema(Document))


def as_json(value: Any) -> str:
    """JSON without NaN, ending in a line break."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


# -- reading one back -----------------------------------------------------------------------------


def graded_paths(path: Path) -> list[str]:
    """The submissions whose grades are in a report; none where there is no file or an empty one.
    Raises UsageProblem for a file that is no report of ours."""
    try:
        raw = path.read_bytes() if path.exists() else b""
        report = json.loads(raw) if raw else {"submissions": []}
        if raw and (report["tool"]["name"], report["schema_version"]) != ("pytest-backprop", 1):
            raise ValueError
        return [entry["path"] for entry in report["submissions"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise UsageProblem(
            say("{path} is there, and is no report of this version of pytest-backprop", path=path),
            say("give --backprop-report another path, or remove that file"),
        ) from None
