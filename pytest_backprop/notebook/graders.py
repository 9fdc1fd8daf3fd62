"""Who grades for a kernel: the processes that are kept for its next question, and end with it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageProblem
from ..exercises import BUILT_IN
from ..grading.assignment import Assigned, Brief
from ..grading.judge.judges import Judges, Setup
from ..grading.parts import read_parts
from ..grading.rubric import Rubric, rubric_of
from ..messages import say
from ..model import COURSE_KIND, Grade
from ..options import OPTIONS

SETTINGS = ("rubric", "seed", "points", "timeout", "memory_mb", "sandbox", "hints", "lang")
"""What may be set in a cell, of the command line's options. `memory_mb` is `memory` there."""


def read_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a check: those of the command line, with its defaults, and what is given of
    them. Raises UsageProblem for one that a cell has not, or a value that it does not take."""
    names = {option.ini_key.removeprefix("backprop_"): option for option in OPTIONS}
    known = {name: option for name, option in names.items() if option.field in SETTINGS}
    settings = {option.field: option.default for option in OPTIONS}
    for name, value in given.items():
        if name not in known:
            raise UsageProblem(
                say("there is no setting {name!r} in a cell", name=name),
                say("known: {names}", names=", ".join(["strict", "variants", *known])),
            )
        settings[known[name].field] = known[name].read(str(value), Path.cwd(), name)
    return settings


class Setting(NamedTuple):
    """Who grades on the tasks of a folder, what they were started for, and the kinds of the tasks."""

    judges: Judges
    wanted: object
    kinds: tuple[str, ...]


class Desk:
    """Where the questions of a kernel are graded, by processes that are started once for a folder of
    tasks, and anew where that or the settings change. They end with the kernel."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
        self.room = Path(self._made.name)
        """A private folder, for tasks and for what is graded."""
        self._settings: dict[Path, Setting] = {}

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
        if before is not None and before.wanted == (plan, stamps):
            return
        self._end(folder)
        parts = read_parts(folder, COURSE_KIND, _rubric_of, rubric=rubric)
        kinds = tuple(part.kind for part in parts)
        setup = Setup(plan, parts, os.fsencode(folder), settings["lang"])
        judges = Judges(setup, 1, None, [BUILT_IN[kind].child for kind in kinds])
        self._settings[folder] = Setting(judges, (plan, stamps), kinds)
        judges.start()

    def grade(
        self, source: Path | bytes, folder: Path, task: str, kind: str, name: str | None
    ) -> Grade:
        """The grade of a file, or of a notebook's bytes, on a task of a folder for which someone is
        ready, and of its kind; of the class or function of that name."""
        if isinstance(source, bytes):
            path, shown = self.room / "notebook.ipynb", "notebook"
            path.write_bytes(source)
        else:
            path, shown = source, source.name
        setting = self._settings[folder]
        brief = Brief(Assigned(task, "option"), part=setting.kinds.index(kind), class_name=name)
        try:
            return setting.judges.grade(path, shown, [brief])
        except BaseException:  # as of Ctrl-C: nobody waits for the answer
            self._end(folder)
            raise

    def _end(self, folder: Path) -> None:
        if (setting := self._settings.pop(folder, None)) is not None:
            setting.judges.close()


def _rubric_of(kind: str) -> Rubric:
    return rubric_of("default" if kind == COURSE_KIND else kind, BUILT_IN[kind].rules, {}, [])
