"""Who grades for a kernel: the processes that are kept for its next question, and end with it."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import GraderFault, UsageProblem
from ..exercises import BUILT_IN, built_in
from ..grading.assignment import Assigned, Brief
from ..grading.judge.judges import Judges, Setup
from ..grading.parts import read_parts
from ..grading.rubric import Rubric, rubric_of
from ..messages import say
from ..model import COURSE_KIND, Grade, Submission
from ..options import OPTIONS

SETTINGS = ("rubric", "seed", "points", "timeout", "memory", "sandbox", "hints", "lang")
"""What may be set in a cell, of the command line's options."""


def read_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a check: those of the command line, with its defaults, and what is given of
    them. Raises UsageProblem for one that a cell has not, or a value that it does not take."""
    names = {option.ini_key.removeprefix("backprop_"): option for option in OPTIONS}
    known = {name: option for name, option in names.items() if name in SETTINGS}
    settings = {option.field: option.default for option in OPTIONS}
    for name, value in given.items():
        if name not in known:
            raise UsageProblem(
                say("there is no setting {name!r} in a cell", name=name),
                say("known: {names}", names=", ".join(["strict", "variants", *known])),
            )
        settings[known[name].field] = known[name].read(str(value), Path.cwd(), name)
    return settings


FOLDERS = 3
"""Of tasks, for which someone is ready at a time: each takes some hundred megabytes."""


class Stopped(KeyboardInterrupt):
    """The stop button was pressed while something was graded; where the grader was is no matter."""

    def _render_traceback_(self) -> list[str]:
        return ["KeyboardInterrupt"]


@contextlib.contextmanager
def stopped_once(is_kernel: bool) -> Iterator[None]:
    """The stop button raises Stopped, and counts once: it does not disturb what clears away. In a
    kernel that lasts until the cell is over, as a second press would hit what shows its end."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise Stopped

    if threading.current_thread() is not threading.main_thread():
        yield  # the button stops another
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if not is_kernel or signal.getsignal(signal.SIGINT) is stop:
            signal.signal(signal.SIGINT, before or signal.default_int_handler)


class Ready(NamedTuple):
    """Who grades on the tasks of a folder, what they were started for, and the kinds of the
    tasks."""

    judges: Judges
    wanted: object
    kinds: tuple[str, ...]


class Desk:
    """Where the questions of a kernel are graded, by processes that are started once for a folder
    of tasks, and anew where that or the settings change. They end with the kernel."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
        self.room = Path(self._made.name)
        """A private folder, for tasks that are functions."""
        self._settings: dict[Path, Ready] = {}

    def ready(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """Starts who grades, if that is not at work, and returns at once. Raises UsageProblem."""
        rubric = settings["rubric"]
        files = [file for file in (*sorted(folder.glob("*.py")), rubric) if file is not None]
        stamps = [(file, file.stat().st_mtime_ns) for file in files if file.is_file()]
        as_they_are = ("variant", "class_name", "seed", "points", "rtol", "atol")
        plan = {
            **{name: settings[name] for name in as_they_are},
            "seconds": settings["timeout"],
            "memory": settings["memory_mb"] * 2**20,
            "sandbox": settings["sandbox"] != "off",
            "drawing": True,
        }
        before = self._settings.get(folder)
        if before is not None and before.wanted == (plan, rubric, stamps):
            return
        self._end(folder)
        parts = read_parts(folder, COURSE_KIND, _rubric_of, rubric=rubric)
        kinds = tuple(part.kind for part in parts)
        setup = Setup(plan, parts, os.fsencode(folder), settings["lang"])
        judges = Judges(setup, 1, None, [BUILT_IN[kind].child for kind in kinds])
        self._settings[folder] = Ready(judges, (plan, rubric, stamps), kinds)
        for oldest in [*self._settings][:-FOLDERS]:
            self._end(oldest)
        with self._or_end(folder):
            judges.start()

    def grade(self, submission: Submission, folder: Path, task: str, kind: str) -> Grade:
        """The grade of a submission on a task of a folder for which someone is ready, of its kind.
        Raises UsageProblem for a task that cannot be graded on."""
        setting = self._settings[folder]
        number = setting.kinds.index(kind)
        brief = Brief(Assigned(task, "option"), part=number, submission=submission)
        with self._or_end(folder):
            with contextlib.suppress(GraderFault):  # is told with the grade
                setting.judges.prepare([(number, task)])
            return setting.judges.grade(Path(submission.path), submission.path, [brief])

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

    def _end(self, folder: Path) -> None:
        if (setting := self._settings.pop(folder, None)) is not None:
            setting.judges.close()


def _rubric_of(kind: str) -> Rubric:
    return rubric_of("default" if kind == COURSE_KIND else kind, built_in(kind).rules, {}, [])
