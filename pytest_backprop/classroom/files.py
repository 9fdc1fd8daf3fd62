"""What lies in a folder or in a zip, in one form for both."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from ..messages import phrase, say
from .hand_in import HandInProblem
from .names import is_gradable, is_junk, printable

MAX_DEPTH = 40
"""Folders in folders that are looked into."""

LINK = phrase("it is a link, and links are not followed")

Parts = tuple[str, ...]
Ignore = Callable[[Path], bool]


class File(Struct, frozen=True):
    """A file, by its parts from the top of the class, spelt out where they would not show. `path`
    is None in a zip if it was not unpacked; with a `problem` it cannot be read."""

    parts: Parts
    path: str | None
    problem: HandInProblem | None = None

    @property
    def name(self) -> str:
        """The last part: what the student calls it, or the LMS."""
        return self.parts[-1]

    @property
    def gradable(self) -> bool:
        """Whether it may be a submission or hold one."""
        return is_gradable(self.name)


def in_folder(
    folder: Path, root: Path, ignored: Ignore
) -> tuple[list[File], list[tuple[Parts, str]]]:
    """The files below a folder, in the order of their paths, named from `root`; and what was not
    looked at, with the reason: no link is followed, and nothing but folders is opened.

    Without hidden ones, and what `ignored` says.
    """
    files: list[File] = []
    passed_by: list[tuple[Parts, str]] = []

    def parts_of(path: str | Path) -> Parts:
        return tuple(map(printable, Path(path).relative_to(root).parts))

    def pass_by_unreadable(error: OSError) -> None:
        reason = say("it cannot be read: {reason}", reason=error.strerror or error)
        passed_by.append((parts_of(error.filename), reason))

    for place, inner, names in os.walk(folder, onerror=pass_by_unreadable):
        is_deepest = len(Path(place).relative_to(folder).parts) == MAX_DEPTH
        folders, inner[:] = set(inner), []
        for name in (*folders, *names):
            path, reason = Path(place, name), None
            if is_junk((name,)):
                continue
            if os.path.islink(path):
                reason = say(LINK)
            elif name not in folders and not os.path.isfile(path):
                reason = say("it is not an ordinary file")
            elif ignored(path):
                continue
            elif name not in folders:
                files.append(File(parts_of(path), str(path)))
            elif is_deepest:
                reason = say("it lies in more than {limit} folders", limit=MAX_DEPTH)
            else:
                inner.append(name)
            if reason is not None:
                passed_by.append((parts_of(path), reason))
    return sorted(files, key=lambda file: file.parts), passed_by


def shared(*paths: Parts) -> int:
    """How many parts several paths begin with alike."""
    same = (len(set(parts)) == 1 for parts in zip(*paths, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))
