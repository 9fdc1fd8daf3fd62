"""Exports that were made once: equal submissions are exported once, in this run and in later ones.

What comes out of it is as untrusted as what a child says or a student hands in: it has the right
schema and size, and is judged like any other model.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from importlib import metadata
from pathlib import Path

import msgspec

from ..processes.protocol import LoadProblem
from .protocol import MAX_MODEL, Export, Exported

PACKAGES = ("pytest-backprop", "torch", "onnx", "onnxscript")
"""Another version of one of these may export otherwise."""

MAX_ENTRY = MAX_MODEL + 2**16
Entry = Exported | LoadProblem


class ExportCache:
    """Exports by content, in memory and, with a `folder`, on disk."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, Entry] = {}

    def get(self, request: Export) -> Entry | None:
        """What exporting this gave before; None if it is not known or cannot be read."""
        key = _key(request)
        if key not in self._known and self._folder is not None:
            with (
                contextlib.suppress(OSError, msgspec.DecodeError),
                open(self._path(key), "rb") as f,
            ):
                self._known[key] = msgspec.msgpack.decode(f.read(MAX_ENTRY + 1), type=Entry)
        return self._known.get(key)

    def put(self, request: Export, entry: Entry) -> None:
        """Keeps a result. A folder that cannot be written costs time only."""
        key = _key(request)
        self._known[key] = entry
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            # whole or not at all: workers of pytest-xdist share the folder
            handle, name = tempfile.mkstemp(dir=self._folder)
            try:
                with open(handle, "wb") as file:
                    file.write(msgspec.msgpack.encode(entry))
                os.replace(name, self._path(key))
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)

    def _path(self, key: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{key}.msgpack"


def _key(request: Export) -> str:
    """All that decides what comes out, and none of the limits."""
    versions = [_version(name) for name in PACKAGES]
    text = [(unit.text, unit.original) for unit in request.units]
    parts = (versions, text, request.class_name, request.weight_names, request.input_names,
             request.inputs)  # fmt: skip
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
