"""What lies in a folder or in a zip, in one form for both."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from ..messages import phrase, say
from .hand_in import HandInProblem
from .names import JUNK_FOLDERS, is_gradable, is_junk, printable

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


class Listing(NamedTuple):
    """What stands in a folder, in the order of names: folders and ordinary files; and what is
    neither, by its name (empty for the folder itself), with the reason why it is not looked at."""

    entries: tuple[os.DirEntry[str], ...]
    odd: tuple[tuple[str, str], ...]


def listing(folder: Path) -> Listing:
    """Looks into a folder. No link is followed, and nothing but the folder is opened."""
    entries, odd = [], []
    try:
        with os.scandir(folder) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                reason = _reason(entry)
                if reason is None:
                    entries.append(entry)
                else:
                    odd.append((entry.name, reason))
    except OSError as error:
        odd.append(("", say("it cannot be read: {reason}", reason=error.strerror or error)))
    return Listing(tuple(entries), tuple(odd))


def _reason(entry: os.DirEntry[str]) -> str | None:
    """Why an entry is neither a folder nor an ordinary file; None if it is one."""
    try:
        if entry.is_symlink():
            return say(LINK)
        if entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False):
            return None
    except OSError as error:
        return say("it cannot be read: {reason}", reason=error.strerror or error)
    return say("it is not an ordinary file")


def in_folder(
    folder: Path, root: Path, ignored: Ignore
) -> tuple[list[File], list[tuple[Parts, str]]]:
    """The files below a folder, in the order of their paths, named from `root`; and what was not
    looked at, with the reason.

    Without hidden ones, and what `ignored` says.
    """
    found: list[File] = []
    passed_by: list[tuple[Parts, str]] = []
    todo = [(folder, 0)]
    while todo:
        place, depth = todo.pop()
        here = tuple(map(printable, place.relative_to(root).parts))
        look = listing(place)
        passed_by += [
            ((*here, printable(name)) if name else here, reason)
            for name, reason in look.odd
            if not (name and (is_junk((name,)) or name in JUNK_FOLDERS))
        ]
        for entry in look.entries:
            path = Path(entry.path)
            if is_junk((entry.name,)) or ignored(path):
                continue
            parts = (*here, printable(entry.name))
            if entry.is_file(follow_symlinks=False):
                found.append(File(parts, entry.path))
            elif entry.name in JUNK_FOLDERS:
                continue
            elif depth < MAX_DEPTH:
                todo.append((path, depth + 1))
            else:
                reason = say("it lies in more than {limit} folders", limit=MAX_DEPTH)
                passed_by.append((parts, reason))
    return sorted(found, key=lambda file: file.parts), passed_by


def shared(*paths: Parts) -> int:
    """How many parts several paths begin with alike."""
    same = (len(set(parts)) == 1 for parts in zip(*paths, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))
