"""What the items of one run share: parts, roster and bank, who grades, the journal, the grades."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import asdict, replace

from ..classroom import ClassPlan
from ..classroom.roster import Roster
from ..errors import GraderFault, UsageProblem
from ..exercises.base import Exercise
from ..exercises.functions.bank.library import task_text, whole_bank
from ..grading.assignment import Briefs, Part, asks_own, check_assignments, identified
from ..grading.grades import deducted, lateness_of
from ..grading.judge.judges import Judges, Setup, plan_of
from ..grading.judge.pool import Graders, Pool, at_a_time
from ..messages import say
from ..model import Grade
from ..options import Settings
from ..processes.client import FORKS, probe
from ..reports import SINGLE
from ..reports.graders import refuse_several
from ..reports.terminal import Regrade
from ..resume import Entry, Journal, Key, Keys, compared, versions
from .class_paths import roster_of
from .option_values import LOCAL
from .plugins import Contributions
from .report_targets import journal_path, refuse_to_lose_grades

if TYPE_CHECKING:
    from ..grading.pipeline import Grader
    from ..processes.client import Worker
    from ..processes.protocol import Policy


class GradingSession:
    """What the items of one run share. Nothing here imports torch before it grades.

    `parts` are what is asked, `exercises` their kinds by name, `classes` says what there is to
    grade, `grading` whether it will be; `tell` writes a line on the terminal. Raises UsageProblem
    for a roster, bank or variant that is wrong."""

    def __init__(
        self,
        settings: Settings,
        contributions: Contributions,
        parts: Sequence[Part],
        exercises: Mapping[str, Exercise],
        classes: ClassPlan,
        tell: Callable[[str], None],
        grading: bool,
    ) -> None:
        self.settings = settings = replace(settings, kind=", ".join(exercises))
        self.contributions = contributions
        self.parts = tuple(parts)
        self.classes = classes
        self._exercises = exercises
        self._late = parts[0].rubric.late
        self._draws = any(target.format == "html" for target in settings.report)
        executor, _, number = settings.executor.partition(":")
        self.is_local = executor == LOCAL
        plugins = self._judging_plugins()
        is_plain = not FORKS or (not plugins and "torch" not in sys.modules)
        plan = plan_of(asdict(settings), self._draws)
        most = int(number) if self.is_local and number else at_a_time(plan["memory"])
        build = None if is_plain else self._build
        bank = os.fsencode(settings.variants)
        self._setup = Setup(plan, self.parts, bank, settings.lang)
        halves = [exercise.child for exercise in exercises.values()]
        judges = Judges(self._setup, most, build, halves)
        with contextlib.ExitStack() as refused:
            refused.callback(judges.close)
            if is_plain and grading and not settings.resume and self.is_local:
                judges.start()  # it imports torch while the tasks are read
            self.roster: Roster | None = roster_of(
                settings, classes, contributions.suffixes, asks_own(parts)
            )
            self._banks = {
                kind: contributions.bank(exercise, settings.variants)
                for kind, exercise in exercises.items()
            }
            tasks = whole_bank(self._banks)
            check_assignments(parts, tasks, settings.variant, self.roster)
            self._briefs = Briefs(parts, tasks, self.roster, settings.variant, classes.handed)
            for shown, checks in classes.checks.items():
                for check in checks:
                    if shown not in classes.handed or check not in self.checks_of(shown):
                        raise UsageProblem(f"not found: {shown}::{check}")
            graders: Graders = judges if self.is_local else self._cluster(tell)
            self._pool = Pool(graders, self._briefs, self._reads, self._finish)
            refused.pop_all()
        self.grades: dict[str, Grade] = {}
        """Those that were asked for, or that the journal has."""
        self.finished: dict[str, Grade] = {}
        """Grades that came before their turn."""
        self._keys: dict[str, Key] = {}
        """What the grades depend on of those that are being graded; for the journal."""
        self._key_maker: Keys
        folder = journal_path(settings.report)
        self.journal = None if folder is None else Journal(folder)
        self.regrades: list[Regrade] = []
        self.unsaved: list[str] = []
        """Why grades are not in the journal: a reason for each."""
        self.explained: set[tuple[str, str]] = set()
        """The submissions, and parts of them, of which it was told why they could not be graded."""

    # -- who grades -------------------------------------------------------------------------

    def _build(self, children: Worker) -> list[Grader]:
        """The graders, in a process that was forked from this one: it imports torch."""
        added = self.contributions
        return self._setup.graders(
            self._exercises, self._banks, children, added.loaders, added.judges
        )

    def _judging_plugins(self) -> list[str]:
        """The plugins whose functions the judge calls, by name. Raises UsageProblem where it cannot
        have them, which exist in this process alone."""
        exercises = self._exercises.values()
        plugins = [name for each in exercises for name in self.contributions.judging(each)]
        if plugins and not (FORKS and self.is_local):
            raise UsageProblem(
                say(
                    "what the plugin {plugin} adds to grading is a function in this process, and "
                    "cannot be sent to another",
                    plugin=", ".join(dict.fromkeys(plugins)),
                ),
                say("leave the plugin out, or grade on Linux without --backprop-executor"),
            )
        return plugins

    def _cluster(self, tell: Callable[[str], None]) -> Graders:
        from ..cluster.workers import Cluster, ClusterSetup

        settings, folder = self.settings, self.settings.variants
        bank = {path.name: task_text(path).encode() for path in sorted(folder.glob("v*.py"))}
        support = [units for own in self._banks.values() for units in own.support.values()]
        for unit in (unit for units in support for unit in units):
            bank[unit.path] = unit.text.encode()
        judge = replace(self._setup, bank=b"")
        setup = ClusterSetup(judge, folder.name, bank, versions(self._briefs.models))
        return Cluster(settings.executor.removeprefix("dask:"), setup, tell)

    def start(self) -> None:
        """Makes ready who grades, if not all grades may be in the journal, and the journal.

        Raises UsageProblem when the kernel's sandbox is required and not to be had, when the
        journal cannot be used, and when there is none to resume from."""
        settings = self.settings
        if self.journal is not None:
            self.journal.lock()
        elif settings.resume:
            raise UsageProblem(
                say("--backprop-resume has no journal: no report goes to a file"),
                say("give the --backprop-report of the run that ended; its journal is there"),
            )
        if not (self.is_local and settings.resume):
            with contextlib.suppress(GraderFault):  # is told with each grade
                self._pool.graders.start()
        if settings.sandbox == "require" and not self._policy().is_full:
            raise UsageProblem(
                "--backprop-sandbox: 'require', but where submissions are graded it reaches "
                f"{self.sandbox_level()!r} only",
                "run on Linux 5.13 or later with Landlock and seccomp, or use auto in a "
                "container that you can lose",
            )

    def sandbox_level(self) -> str:
        """What children are kept in, as tried here: `landlock-abi7 + seccomp + limits`."""
        if self.settings.sandbox == "off":
            return "off: process isolation only"
        return str(self._policy())

    def _policy(self) -> Policy:
        return self._pool.graders.sandbox or probe()

    def close(self) -> None:
        """Ends whoever grades, also in the middle of a submission."""
        self._pool.close()
        if self.journal is not None:
            self.journal.close()

    # -- grades -----------------------------------------------------------------------------

    def parts_of(self, shown: str) -> list[Part]:
        """The parts that a submission is graded on."""
        handed = self.classes.handed[shown]
        path = handed.path or os.path.join(self.classes.top, handed.place)
        return self._briefs.parts_of(Path(path), shown)

    def checks_of(self, shown: str) -> list[str]:
        """The ids of the checks of a submission."""
        return [check for part in self.parts_of(shown) for check in part.checks]

    def prepare(self, files: Iterable[tuple[Path, str]]) -> None:
        """Tells in which order the submissions will be graded, so that each can run ahead; those
        in the journal are not graded again.

        Raises UsageProblem when the settings cannot tell right from wrong on a variant in use,
        for several files where a report is on one submission, and where an earlier report would
        lose grades."""
        files = list(files)
        for target in self.settings.report:
            if target.format in SINGLE:
                refuse_several(len(files), target.format)
        if self.journal is not None:
            names = {shown for _, shown in files}
            refuse_to_lose_grades(self.settings.report, self.classes, names, self.journal)
            # here, as it tries the sandbox while whoever grades imports torch
            self._key_maker = Keys(
                self.settings, self._briefs, self.sandbox_level(), self.contributions.versions
            )
        for path, shown in files:
            if (grade := self._resumed(path, shown)) is not None:
                self.grades[shown] = grade
        if files := [file for file in files if file[1] not in self.grades]:
            self._pool.prepare(files)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission; computed once."""
        if shown not in self.grades:
            self._pool.grade(path, shown)
            self.grades[shown] = self.finished.pop(shown)  # `_finish` put it there
        return self.grades[shown]

    def _reads(self, path: Path, shown: str) -> None:
        """This file is about to be read, or sent to a cluster."""
        if self.journal is not None:
            self._keys[shown] = self._key_maker.key(path, shown)

    def _finish(self, path: Path, shown: str, grade: Grade) -> None:
        """A grade came, maybe long before its turn: it is finished, and goes into the journal."""
        handed = self.classes.handed[shown]
        grade = replace(grade, notes=(*handed.notes, *grade.notes))
        late = lateness_of(self._late, self.roster, handed, shown)
        grade = deducted(identified(grade, self.roster), late)
        self.finished[shown] = grade
        if self.journal is None:
            return
        key = self._keys.pop(shown)
        if self._key_maker.content(path, shown) != key.content:
            key = replace(key, content="")  # which of the two was graded, nobody knows
        entry = Entry(key, grade)
        if (before := self.journal.read(shown)) is not None:
            self.regrades += compared(before, entry)
        try:
            self.journal.write(entry)
        except OSError as error:
            self.unsaved.append(error.strerror or str(error))

    def _resumed(self, path: Path, shown: str) -> Grade | None:
        """The grade that an earlier run worked out; None where this run is to grade."""
        if self.journal is None or not self.settings.resume:
            return None
        if (entry := self.journal.read(shown)) is None:
            return None
        key = self._key_maker.key(path, shown)
        # the earlier run may have drawn nothing
        is_drawn = entry.grade.drawing is not None or entry.grade.status != "graded"
        if not entry.holds_for(key) or (self._draws and not is_drawn):
            return None
        return identified(replace(entry.grade, taken_from="journal"), self.roster)


SESSION = pytest.StashKey[GradingSession]()
