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
    todo = [(folder, 0)]
    while todo:
        place, depth = todo.pop()
        here = tuple(map(printable, place.relative_to(root).parts))
        try:
            entries = list(os.scandir(place))
        except OSError as error:
            passed_by.append((here, _unreadable(error)))
            continue
        for entry in entries:
            path, parts = Path(entry.path), (*here, printable(entry.name))
            if is_junk((entry.name,)):
                continue
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                is_plain = is_folder or entry.is_file(follow_symlinks=False)
            except OSError as error:
                passed_by.append((parts, _unreadable(error)))
                continue
            if not is_plain:
                is_link = entry.is_symlink()
                reason = say(LINK) if is_link else say("it is not an ordinary file")
                passed_by.append((parts, reason))
            elif ignored(path):
                continue
            elif not is_folder:
                files.append(File(parts, entry.path))
            elif depth < MAX_DEPTH:
                todo.append((path, depth + 1))
            else:
                reason = say("it lies in more than {limit} folders", limit=MAX_DEPTH)
                passed_by.append((parts, reason))
    return sorted(files, key=lambda file: file.parts), passed_by


def _unreadable(error: OSError) -> str:
    return say("it cannot be read: {reason}", reason=error.strerror or error)


def shared(*paths: Parts) -> int:
    """How many parts several paths begin with alike."""
    same = (len(set(parts)) == 1 for parts in zip(*paths, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))
