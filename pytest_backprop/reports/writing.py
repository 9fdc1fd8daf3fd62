"""Puts a report in its place, all or nothing: a file, or a folder in place of an older one.

A folder knows its own files (`MANIFEST`), so that one with anything else in it is left alone."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import secrets
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..errors import UsageProblem
from ..messages import say

MANIFEST = "report-files.json"
"""In the report's folder: what made it, and the files it is made of."""
_MADE_BY = "pytest-backprop"


@contextlib.contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Whatever the system refuses here is told as a UsageProblem that names the path."""
    try:
        yield
    except OSError as error:
        raise UsageProblem(
            say("report {path} cannot be written: {why}", path=path, why=error.strerror or error),
            say("choose another path for --backprop-report"),
        ) from None


def write_atomically(path: Path, text: str) -> None:
    """Write a text as UTF-8: whoever reads `path` sees the old file or the new.

    Missing folders are made; the mode follows the umask. A link is followed; a device or pipe is
    written to directly. Raises UsageProblem naming the path."""
    with _refusing(path), contextlib.ExitStack() as at_the_end:
        path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file() and not path.is_dir():
            # Replacing /dev/stdout or a pipe by a file would break it.
            path.write_text(text, encoding="utf-8", newline="")
            return
        # In the same folder, for a rename does not cross file systems.
        start = f".backprop-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
        for left in path.parent.glob(f"{start}*.tmp"):  # by a run that was killed right here
            left.unlink(missing_ok=True)
        temporary = path.parent / f"{start}{secrets.token_hex(8)}.tmp"
        at_the_end.callback(temporary.unlink, missing_ok=True)
        with open(temporary, "x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)


def write_folder(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes a report of (relative path, content) in place of an older one.

    Raises UsageProblem naming the path."""
    with _refusing(path), contextlib.ExitStack() as at_the_end:
        path = Path(os.path.realpath(path))
        check_folder(path)
        # In the same folder, for a rename does not cross file systems.
        fresh, old = (
            path.parent / f".backprop-{secrets.token_hex(8)}.{end}" for end in ("tmp", "old")
        )
        for folder in (fresh, old):
            at_the_end.callback(shutil.rmtree, folder, ignore_errors=True)
        fresh.mkdir(parents=True)
        names = [MANIFEST]
        for name, content in files:
            names.append(name)
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(content)
        manifest = {"made_by": _MADE_BY, "files": sorted(names)}
        (fresh / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if path.exists():
            os.rename(path, old)
        try:
            os.rename(fresh, path)
        except OSError:
            if old.exists():
                os.rename(old, path)
            raise


def check_folder(path: Path) -> None:
    """Raises UsageProblem if a report may not take the place of what is at `path`.

    It may if nothing is there, an empty folder, or a report of ours that nobody added a file to."""
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageProblem(
            say("{path} is a file, and this report is a folder", path=path),
            say("give the name of a new folder"),
        )
    own: set[Path] = set()
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):  # else it is no report
        manifest = json.loads((path / MANIFEST).read_bytes())
        if manifest["made_by"] == _MADE_BY:
            own = {path / name for name in manifest["files"]}
    own |= {folder for file in own for folder in file.parents}
    foreign = sorted(set(path.rglob("*")) - own)  # a link is not followed, and is none of ours
    if foreign:
        raise UsageProblem(
            say(
                "the folder {path} is not a report: it has {name}",
                path=path,
                name=foreign[0].relative_to(path).as_posix(),
            ),
            say("give the name of a new folder, or of an older report"),
        )


def zipped(files: Mapping[str, bytes], executable: Iterable[str] = ()) -> bytes:
    """A zip file that is the same for the same content; `executable` are names of scripts."""
    out = io.BytesIO()
    scripts = set(executable)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # in 1980, as zip files begin
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # the mode is Unix's
            entry.external_attr = (0o100755 if name in scripts else 0o100644) << 16
            archive.writestr(entry, content)
    return out.getvalue()
