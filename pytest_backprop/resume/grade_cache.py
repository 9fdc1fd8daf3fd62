"""Grades that several runs share, a file for each, by all that the grade depends on.

A submission that did not change, under settings that did not, is not graded again, whichever run
graded it. Nothing here decides a grade.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

import msgspec

from ..errors import UsageProblem
from ..messages import say
from ..model import Grade
from .journal import Entry, Key, line_of, read_line

KEPT = ("graded", "unreadable")
"""Ends of grading that a submission decides alone. A timeout, or memory that ran out, may be the machine's."""


class GradeCache:
    """A folder of grades. Any number of processes may use it at a time: a file is there whole or not at
    all, and is never changed::

        cache = GradeCache(Path("grades"))  # UsageProblem if others may write to it
        grade = cache.get(key)  # None if there is none
        cache.put(key, grade)
    """

    def __init__(self, folder: Path) -> None:
        """Makes the folder if it is not there. Raises UsageProblem if it cannot be used, or if just
        anybody may write grades into it."""
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            mode = folder.stat().st_mode
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise UsageProblem(
                say("the cache {folder} cannot be used: {reason}",
                    folder=folder, reason=error.strerror or error),
                say("give --backprop-cache a folder that you may write to"),
            ) from None  # fmt: skip
        if mode & stat.S_IWOTH:
            raise UsageProblem(
                say("everybody may write to the cache {folder}, and so give grades", folder=folder),
                say("take that right away (chmod o-w), or give --backprop-cache another folder"),
            )

    def get(self, key: Key) -> Grade | None:
        """The grade that stands for `key`; None if there is none, or if what is there is not what was
        written."""
        try:
            line = self._place(key).read_bytes()
        except OSError:
            return None
        entry = read_line(line.removesuffix(b"\n"))
        return entry.grade if entry is not None and entry.holds_for(key) else None

    def put(self, key: Key, grade: Grade) -> None:
        """Keeps a grade, if it is the submission's alone. A disk that is full costs nothing but the
        time to grade it again."""
        if grade.status not in KEPT:
            return
        place = self._place(key)
        with contextlib.suppress(OSError):
            place.parent.mkdir(mode=0o700, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
                try:
                    file.write(line_of(Entry(1, key, grade)))
                    file.close()
                    os.replace(file.name, place)
                except BaseException:
                    os.unlink(file.name)
                    raise

    def _place(self, key: Key) -> Path:
        digest = hashlib.sha256(msgspec.json.encode(key, order="sorted")).hexdigest()
        return self.folder / digest[:2] / f"{digest[2:]}.json"
