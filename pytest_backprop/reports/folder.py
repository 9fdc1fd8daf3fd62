"""Reports that are a folder: written beside, then put in place whole; nothing else is written over.

A report knows its own files (`MANIFEST`), so that a folder with anything else in it is left alone.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import UsageProblem
from ..messages import say

MANIFEST = "report-files.json"
"""In the report's folder: what made it, and the files it is made of."""
_MADE_BY = "pytest-backprop"


def check_folder(path: Path) -> None:
    """Raises UsageProblem if a report may not take the place of what is at `path`.

    It may if nothing is there, an empty folder, or a report of ours that nobody added a file to.
    """
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageProblem(
            say("{path} is a file, and this report is a folder", path=path),
            say("give the name of a new folder"),
        )
    found = set(_files(path))
    if not found and not any(path.iterdir()):
        return
    foreign = sorted(found - _own_files(path))
    if foreign or not found:
        raise UsageProblem(
            say(
                "the folder {path} is not a report: it has {name}",
                path=path,
                name=foreign[0] if foreign else next(path.iterdir()).name,
            ),
            say("give the name of a new folder, or of an older report"),
        )


def write_folder(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes a report of (relative path, content), all or nothing, in place of an older one.

    Raises UsageProblem naming the path.
    """
    fresh = old = None
    path = Path(os.path.realpath(path))
    try:
        check_folder(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, for a rename does not cross file systems.
        fresh = path.parent / f".backprop-{secrets.token_hex(8)}.tmp"
        fresh.mkdir()
        _fill(fresh, files)
        if path.exists():
            old = path.parent / f".backprop-{secrets.token_hex(8)}.old"
            os.rename(path, old)
        try:
            os.rename(fresh, path)
        except OSError:
            if old is not None:
                os.rename(old, path)
                old = None
            raise
    except OSError as error:
        raise UsageProblem(
            say("report {path} cannot be written: {why}", path=path, why=error.strerror or error),
            say("choose another path for --backprop-report"),
        ) from None
    finally:
        for left in (fresh, old):
            if left is not None:
                shutil.rmtree(left, ignore_errors=True)


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    names = [MANIFEST]
    for name, content in files:
        names.append(name)
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    manifest = {"made_by": _MADE_BY, "files": sorted(names)}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _own_files(path: Path) -> set[str]:
    """The files that the report at `path` says are its own; none if there is no report."""
    try:
        manifest = json.loads((path / MANIFEST).read_bytes())
        return set(manifest["files"]) if manifest["made_by"] == _MADE_BY else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _files(path: Path) -> Iterator[str]:
    # not followed: a link is an entry of its own
    for place, folders, files in os.walk(path):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in (*files, *links):
            yield Path(place, name).relative_to(path).as_posix()
