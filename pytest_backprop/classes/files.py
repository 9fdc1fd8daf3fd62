"""What lies in a folder or in a zip, in one form for both."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from ..messages import say
from .archives import Member
from .handed import Problem
from .names import JUNK_FOLDERS, is_gradable, is_junk

MAX_DEPTH = 40
"""Folders in folders that are looked into."""

Parts = tuple[str, ...]
Ignore = Callable[[Path], bool]


class File(Struct, frozen=True):
    """A file, by its parts from the top of the class. `path` is None in a zip if it was not
    unpacked; with a `problem` it cannot be read."""

    parts: Parts
    path: str | None
    problem: Problem | None = None

    @property
    def name(self) -> str:
        """The last part: what the student calls it, or the LMS."""
        return self.parts[-1]

    @property
    def gradable(self) -> bool:
        """Whether it may be a submission or hold one."""
        return is_gradable(self.name)


def in_folder(folder: Path, root: Path, ignored: Ignore) -> list[File]:
    """The files below a folder, in the order of their paths, named from `root`.

    Without hidden ones, what `ignored` says, and folders behind links deeper than the first level.
    """
    found: list[File] = []
    todo = [(folder, 0)]
    while todo:
        place, depth = todo.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            path = Path(entry.path)
            parts = path.relative_to(root).parts
            if is_junk(parts[-1:]) or ignored(path):
                continue
            try:
                is_folder = entry.is_dir(follow_symlinks=depth == 0)
                is_file = entry.is_file()
            except OSError:
                continue
            if is_folder:
                if depth < MAX_DEPTH and entry.name not in JUNK_FOLDERS:
                    todo.append((path, depth + 1))
            elif is_file:
                found.append(File(parts, entry.path, _link(path)))
    return sorted(found, key=lambda file: file.parts)


def in_archive(members: list[Member]) -> list[File]:
    """The files of a zip that was unpacked."""
    return [File(member.parts, member.path, member.problem) for member in members]


def _link(path: Path) -> Problem | None:
    """A link of a zip's name is not opened: it would hand in what is not the student's."""
    if path.suffix.lower() != ".zip" or not path.is_symlink():
        return None
    return Problem(
        "not-a-file",
        say("{name} is a link or a device, and not an ordinary file", name=path.name),
        say("Hand in the file itself."),
    )
