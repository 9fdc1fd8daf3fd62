"""The JSON report, its published JSON Schema, and writing a report to a file."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UsageProblem
from .document import Document

SCHEMA_FILE = Path(__file__).with_name("schema-v1.json")
"""The schema as shipped; `schema_text` makes it."""


def render(document: Document) -> str:
    """The report as JSON: keys in schema order, indented by 2, ending in a line break."""
    return json_text(msgspec.to_builtins(document), 2)


def json_text(value: Any, indent: int) -> str:
    """JSON without NaN, ending in a line break."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the report, made from the types."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pytest-backprop report, schema version 1",
    }
    return head | msgspec.json.schema(Document)


def schema_text() -> str:
    """What `SCHEMA_FILE` must hold."""
    return json_text(schema(), 2)


def write_atomically(path: Path, text: str) -> None:
    """Write a text as UTF-8, all or nothing: whoever reads `path` sees the old file or the new.

    Missing folders are made; the mode follows the umask. A link is followed; a device or pipe is
    written to directly. Raises UsageProblem naming the path.
    """
    temporary = None
    try:
        path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file() and not path.is_dir():
            # Replacing /dev/stdout or a pipe by a file would break it.
            with open(path, "w", encoding="utf-8", newline="") as device:
                device.write(text)
            return
        # In the same folder, for a rename does not cross file systems.
        start = f".backprop-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
        for left in path.parent.glob(f"{start}*.tmp"):  # by a run that was killed right here
            left.unlink(missing_ok=True)
        temporary = path.parent / f"{start}{secrets.token_hex(8)}.tmp"
        with open(temporary, "x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise UsageProblem(
            f"report {path} cannot be written: {error.strerror or error}",
            "choose another path for --backprop-report",
        ) from None
    finally:
        # Gone already, if all went well.
        if temporary is not None:
            temporary.unlink(missing_ok=True)
