"""A desk: judges that are kept for the next question on the tasks of a folder, as a kernel or who
watches a file asks many."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import GraderFault, UsageProblem
from ...exercises import BUILT_IN
from ...model import Grade
from ..assignment import Brief
from ..parts import Part, read_parts
from ..rubric import default_rubric_of
from .judges import Judges, Setup

FOLDERS = 3
"""Of tasks, for which someone is ready at a time: each takes some hundred megabytes."""


class Ready(NamedTuple):
    """Who grades on the tasks of a folder, what they were started for, and what is asked."""

    judges: Judges
    wanted: object
    parts: tuple[Part, ...]


class Desk:
    """Where questions are graded, by processes that are started once for a folder of tasks, and
    anew where that or the settings change. They end with this process. `close` it when done."""

    def __init__(self, draws: bool = False) -> None:
        """`draws`: grades have what pages draw."""
        self._draws = draws
        self._made = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
        self.room = Path(self._made.name).resolve()
        """A private folder."""
        self._settings: dict[Path, Ready] = {}

    def ready(self, folder: Path, settings: Mapping[str, Any]) -> Ready:
        """Starts who grades, if that is not at work, and returns at once. `settings` has the fields
        of `Settings`. Raises UsageProblem."""
        asked = settings["kind"], settings["assignment"], settings["rubric"]
        files = [*sorted(folder.glob("*.py")), *filter(None, asked[1:])]
        stamps = [(file, file.stat().st_mtime_ns) for file in files if file.is_file()]
        as_they_are = ("variant", "class_name", "seed", "points", "rtol", "atol")
        plan = {
            **{name: settings[name] for name in as_they_are},
            "seconds": settings["timeout"],
            "memory": settings["memory_mb"] * 2**20,
            "sandbox": settings["sandbox"] != "off",
            "drawing": self._draws,
        }
        wanted = plan, asked, stamps
        before = self._settings.get(folder)
        if before is not None and before.wanted == wanted:
            return before
        self._end(folder)
        kind, assignment, rubric = asked
        parts = read_parts(folder, kind, default_rubric_of, assignment, rubric)
        setup = Setup(plan, parts, os.fsencode(folder), settings["lang"])
        judges = Judges(setup, 1, None, [BUILT_IN[part.kind].child for part in parts])
        self._settings[folder] = ready = Ready(judges, wanted, parts)
        for oldest in [*self._settings][:-FOLDERS]:
            self._end(oldest)
        with self._or_end(folder):
            judges.start()
        return ready

    def grade(self, folder: Path, path: Path, shown: str, briefs: Sequence[Brief]) -> Grade:
        """The grade of a submission on tasks of a folder for which someone is ready. Raises
        UsageProblem for a task that cannot be graded on."""
        judges = self._settings[folder].judges
        asked = [(each.part, each.assigned.variant) for each in briefs]
        with self._or_end(folder):
            with contextlib.suppress(GraderFault):  # is told with the grade
                judges.prepare([(part, task) for part, task in asked if task is not None])
            return judges.grade(path, shown, briefs)

    @contextlib.contextmanager
    def _or_end(self, folder: Path) -> Iterator[None]:
        """Ends who grades if it does not come to its end, as of Ctrl-C: nobody waits for the
        answer."""
        try:
            yield
        except UsageProblem:
            raise
        except BaseException:
            self._end(folder)
            raise

    def stop(self) -> None:
        """Ends whoever grades, also in the middle of a submission of another thread's, which may
        be about to start another: to be called until that is done."""
        for ready in [*self._settings.values()]:
            ready.judges.close()

    def close(self) -> None:
        """Ends whoever grades."""
        for folder in [*self._settings]:
            self._end(folder)
        self._made.cleanup()

    def _end(self, folder: Path) -> None:
        if (ready := self._settings.pop(folder, None)) is not None:
            ready.judges.close()
