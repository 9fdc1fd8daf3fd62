"""The JSON report, its published JSON Schema, and writing a report to a file."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UsageProblem
from .document import Document
from .json_pieces import Streamed, json_pieces

SCHEMA_FILE = Path(__file__).with_name("schema-v1.json")
"""The schema as shipped; `schema_text` makes it."""


def render(document: Document) -> str:
    """The report as JSON: keys in schema order, indented by 2, ending in a line break."""
    return "".join(pieces(document))


def pieces(document: Document) -> Iterator[str]:
    """The same in pieces."""
    # not all of it as builtins: of a large class that is as much again as all grades
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    entries = Streamed(document.submissions, len(document.submissions))
    return json_pieces(fields | {"submissions": entries}, 2)


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the report, made from the types."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pytest-backprop report, schema version 1",
    }
    return head | msgspec.json.schema(Document)


def schema_text() -> str:
    """What `SCHEMA_FILE` must hold."""
    return "".join(json_pieces(schema(), 2))


def write_atomically(path: Path, text: str | Iterable[str]) -> None:
    """Write a text, or its pieces, as UTF-8, all or nothing: whoever reads `path` sees the old file
    or the new.

    Missing folders are made; the mode follows the umask. A link is followed; a device or pipe is
    written to directly. Raises UsageProblem naming the path.
    """
    pieces = [text] if isinstance(text, str) else text
    temporary = None
    try:
        path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file() and not path.is_dir():
            # Replacing /dev/stdout or a pipe by a file would break it.
            with open(path, "w", encoding="utf-8", newline="") as device:
                device.writelines(pieces)
            return
        # In the same folder, for a rename does not cross file systems.
        start = f".backprop-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
        for left in path.parent.glob(f"{start}*.tmp"):  # by a run that was killed right here
            left.unlink(missing_ok=True)
        temporary = path.parent / f"{start}{secrets.token_hex(8)}.tmp"
        with open(temporary, "x", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
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
