"""What the items of one run share: rubric, roster and bank, the judge, the journal, the grades."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ..classroom import ClassPlan
from ..classroom.roster import Roster
from ..errors import GraderFault, UsageProblem
from ..exercises.base import Exercise
from ..exercises.functions.bank.library import task_text
from ..grading.assignment import check_assignments, identified
from ..grading.brief import Briefs
from ..grading.judge.client import Judges, JudgeZygote
from ..grading.judge.pool import Pool
from ..grading.judge.protocol import Setup
from ..grading.judge.zygote import grader_of
from ..grading.late_days import deducted, lateness_of
from ..grading.reweighing import reweighed
from ..grading.rubric import planned
from ..grading.rubric_file import load_rubric
from ..messages import say
from ..model import Grade
from ..options import Settings
from ..processes import sandbox
from ..reports import DRAWN, SINGLE
from ..reports.feedback import refuse_several
from ..resume.fingerprint import Entry, Fingerprints, Key, versions
from ..resume.journal import Journal, place, read_journal
from .class_paths import roster_of
from .earlier_report import kept_grades
from .executors import Executor, judges, plan_values, refuse_plugins, refuse_workers
from .option_values import is_local
from .plugins import Contributions

if TYPE_CHECKING:
    from ..cluster.client import Cluster, Progress
    from ..grading.pipeline import Grader
    from ..processes.client import Zygote


class GradingSession:
    """What the items of one run share. Nothing here imports torch before it grades.

    `classes` says what there is to grade, `ahead` that it will be graded here. Raises UsageProblem for a rubric,
    roster, bank or variant that is wrong.
    """

    def __init__(
        self,
        settings: Settings,
        contributions: Contributions,
        exercise: Exercise,
        classes: ClassPlan,
        cache: pytest.Cache | None,
        progress: Progress,
        ahead: bool,
    ) -> None:
        settings = self.settings = replace(settings, kind=exercise.name)
        self.contributions = contributions
        self.classes = classes
        self.handed = classes.by_shown()
        self._cache = cache
        self._exercise = exercise
        self.rubric = contributions.rubric(self._exercise)
        if settings.rubric:
            self.rubric = load_rubric(settings.rubric, self.rubric)
        self._draws = any(target.format in DRAWN for target in settings.report)
        plain = not contributions.judging(exercise) and "torch" not in sys.modules
        zygote = JudgeZygote(self._setup() if plain else None, self._build, (exercise.child,))
        with contextlib.ExitStack() as refused:
            refused.callback(zygote.close)
            if plain and ahead and self._is_local:
                zygote.start()  # it imports torch while the tasks are read, of which most kinds need that, too
            self.roster: Roster | None = roster_of(settings, classes, contributions.suffixes)
            self._bank = contributions.bank(self._exercise, settings.variants)
            check_assignments(self._bank, settings.variant, self.roster)
            self.grader: Executor = (
                self._pool(zygote) if self._is_local else self._cluster(progress)
            )
            refused.pop_all()
        self.finished: dict[str, Grade] = {}
        """Grades that came before their turn."""
        self._grading = False
        self.grades: dict[str, Grade] = {}
        """Those that were asked for."""
        self.kept: dict[str, Grade] = {}
        """Those of an earlier run that the reports have besides."""
        self._keys: dict[str, Key] = {}
        self._past: Mapping[str, Entry] = {}
        self._journal_place = place(settings.report)
        self.journal: Journal | None = None

    def open_journal(self, writing: bool) -> None:
        """Opens the journal beside the report, if there is one; `writing` in the process that
        writes reports.

        Raises UsageProblem if it cannot be used, and if there is none to resume from.
        """
        if self._journal_place is None:
            if self.settings.resume:
                raise UsageProblem(
                    say("--backprop-resume has no journal: no report goes to a file"),
                    say("give the --backprop-report of the run that ended; its journal is there"),
                )
            return
        if writing:
            self.journal = Journal(self._journal_place)
        if self.settings.resume:
            journal = self.journal
            self._past = journal.entries if journal else read_journal(self._journal_place)

    def start(self, grading: bool) -> None:
        """Starts the executor, and waits until it can grade; a judge only if `grading`, as xdist's workers
        have each their own, and not where all grades may be in the journal.

        Raises UsageProblem when the kernel's sandbox is required and not to be had.
        """
        self._grading = grading
        if not self._is_local:
            if not grading:
                refuse_workers(self.settings)
            self.grader.start()
            return
        if grading and not self._past:
            with contextlib.suppress(GraderFault):  # is told with each grade
                self.grader.start()
        if self.settings.sandbox == "require" and not sandbox.is_full(self.sandbox_level()):
            raise UsageProblem(
                f"--backprop-sandbox: 'require', but here it reaches {self.sandbox_level()!r} only",
                "run on Linux 5.13 or later with Landlock and libseccomp, or use auto in a "
                "container that you can lose",
            )

    def sandbox_level(self) -> str:
        """What children are kept in, as tried on this machine: `landlock-abi7 + seccomp + limits`."""
        if self.settings.sandbox == "off":
            return "off: process isolation only"
        return self.grader.sandbox if self._grading else sandbox.probe()

    @property
    def _is_local(self) -> bool:
        return is_local(self.settings.executor)

    def _pool(self, zygote: JudgeZygote) -> Pool:
        settings = self.settings
        graders = Judges(zygote, self.rubric, settings.timeout)
        most = judges(settings)
        return Pool(graders, most, self._briefs(), self.rubric, self._reads, self._finish)

    def _briefs(self) -> Briefs:
        models = "onnx" in planned(self.rubric)
        return Briefs(self._bank, self.roster, self.settings.variant, self.handed, models)

    def _build(self, children: Zygote) -> Grader:
        """The grader, in a process that was forked from this one: it imports torch."""
        additions = self.contributions.additions()
        return grader_of(self._setup(), self._exercise, self._bank, children, additions)

    def _setup(self) -> Setup:
        exports = self._exports()
        return Setup(
            plan=plan_values(self.settings, self._draws),
            kind=self._exercise.name,
            bank=os.fsencode(self.settings.variants),
            rubric=self.rubric,
            exports=None if exports is None else os.fsencode(exports),
            language=self.settings.lang,
            environment=dict(os.environb),
        )

    def _cluster(self, progress: Progress) -> Cluster:
        from ..cluster.client import Cluster
        from ..cluster.workers import ClusterSetup

        refuse_plugins(self.contributions, self._exercise)
        settings, folder = self.settings, self._bank.directory
        bank = {path.name: task_text(path).encode() for path in sorted(folder.glob("v*.py"))}
        judge = replace(self._setup(), bank=b"", exports=None, environment={})
        here = versions("onnx" in planned(self.rubric))
        setup = ClusterSetup(judge, folder.name, bank, here, settings.sandbox == "require")
        address = settings.executor.removeprefix("dask:")
        return Cluster(address, setup, self._briefs(), self._reads, self._finish, progress)

    def _exports(self) -> Path | None:
        """Where exports are kept from run to run: in pytest's own cache, if that is on."""
        if self._cache is None or "onnx" not in planned(self.rubric):
            return None
        try:
            return self._cache.mkdir("backprop-exports")
        except OSError:
            return None  # a folder that is only for reading

    def close(self) -> None:
        """Ends the executor, also in the middle of a submission."""
        self.grader.close()
        if self.journal is not None:
            self.journal.close()

    def path_of(self, shown: str, top: Path) -> Path:
        """The file of a submission, by the name that reports have for it."""
        handed = self.handed.get(shown)
        return top / shown if handed is None or not handed.path else Path(handed.path)

    def prepare(self, files: Iterable[tuple[Path, str]]) -> None:
        """Tells in which order the submissions will be graded, so that each can run ahead; those in the
        journal are not graded again.

        Raises UsageProblem when the settings cannot tell right from wrong on a variant in use, for several
        files where a report is on one submission, and where an earlier report would lose grades.
        """
        files = list(files)
        for target in self.settings.report:
            if target.format in SINGLE:
                refuse_several(len(files), target.format)
        if self.journal is not None:
            names = {shown for _, shown in files}
            self.kept = kept_grades(self.settings.report, self.classes, names, self.journal.entries,
                                    self.roster, self._unlike)  # fmt: skip
        if self._past:
            files = [file for file in files if self._earlier(self._key(*file)) is None]
        if files:
            self.grader.prepare(files)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission; computed once, or taken from the journal."""
        if shown not in self.grades:
            if (grade := self._resumed(path, shown)) is None:
                self.grader.grade(path, shown)
                grade = self.finished.pop(shown)  # `_finish` put it there
            self.grades[shown] = identified(grade, self.roster)
        return self.grades[shown]

    def key_of(self, shown: str) -> Key | None:
        """What the grade of a submission depended on; None where none is kept."""
        return self._keys.get(shown)

    # -- grades of this run -----------------------------------------------------------------

    def _reads(self, path: Path, shown: str) -> None:
        """This file is about to be read, or sent to a cluster."""
        if (key := self._key(path, shown)) is not None:
            self._keys[shown] = key

    def _finish(self, path: Path, shown: str, grade: Grade) -> None:
        """A grade came, maybe long before its turn: it is finished, and goes into the journal at once."""
        handed = self.handed.get(shown)
        if handed is not None:
            grade = replace(grade, notes=(*handed.notes, *grade.notes))
        late = lateness_of(self.rubric.late, self.roster, handed, shown)
        grade = self.contributions.changed(deducted(identified(grade, self.roster), late))
        self.finished[shown] = grade
        key = self._keys.get(shown)
        if key is None:
            return
        if self._fingerprints.content(path, shown) != key.content:
            # which of the two was graded, nobody knows
            self._keys[shown] = key = replace(key, content="")
        if self.journal is not None:
            with contextlib.suppress(OSError):  # it is tried again, and told, at its turn
                self.journal.append(key, grade)

    # -- grades of earlier runs ---------------------------------------------------------------

    def _resumed(self, path: Path, shown: str) -> Grade | None:
        """The grade that an earlier run worked out; None where this one does."""
        if shown in self.finished:
            return None
        key = self._keys.get(shown) or self._key(path, shown)
        if key is not None:
            self._keys[shown] = key
        return self._earlier(key)

    def _earlier(self, key: Key | None) -> Grade | None:
        """The grade that the journal has for `key`, or that follows from the verdicts in it."""
        entry = None if key is None else self._past.get(key.submission)
        if key is None or entry is None or not self._is_drawn(entry.grade):
            return None
        grade = entry.grade if entry.holds_for(key) else self._reweighed(entry, key)
        return None if grade is None else replace(grade, taken_from="journal")

    def _reweighed(self, entry: Entry, key: Key) -> Grade | None:
        """The grade under this rubric, from verdicts under another."""
        contributions = self.contributions
        plugged = contributions.judging(self._exercise) or contributions.changes_grades
        if plugged or not entry.was_judged_as(key):
            return None
        grade = reweighed(entry.grade, entry.key.rubric, self.rubric)
        return None if grade is None else deducted(grade, key.late)

    def _unlike(self, entry: Entry) -> tuple[str, ...]:
        undrawn = () if self._is_drawn(entry.grade) else (say("its drawing is missing"),)
        return (*self._fingerprints.unlike(entry.key), *undrawn)

    def _is_drawn(self, grade: Grade) -> bool:
        """Whether it has the drawing that a report asks for: an earlier run may have drawn nothing."""
        return not self._draws or grade.drawing is not None or grade.status != "graded"

    def _key(self, path: Path, shown: str) -> Key | None:
        if self._journal_place is None:
            return None
        return self._fingerprints.key(path, shown)

    @functools.cached_property
    def _fingerprints(self) -> Fingerprints:
        level = self.sandbox_level()
        plugins = self.contributions.versions
        return Fingerprints(
            self.settings, self.rubric, self._bank, self.roster, level, plugins, self.handed
        )


SESSION = pytest.StashKey[GradingSession]()
