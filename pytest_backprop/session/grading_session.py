"""What the items of one run share: rubric, roster and bank, the judge, the journal, the grades."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from ..classroom import ClassPlan
from ..classroom.roster import Roster
from ..cluster.client import Cluster, Progress
from ..cluster.packing import Packing
from ..errors import GraderFault, UsageProblem
from ..exercises.base import Exercise
from ..grading.assignment import check_assignments, identified, student_of
from ..grading.judge.client import Judge
from ..grading.judge.pool import Judges
from ..grading.judge.protocol import Setup
from ..grading.judge.start import CleanZygote
from ..grading.late_days import deducted, lateness_of
from ..grading.reweighing import AnotherRun, reweighed
from ..grading.rubric import load_rubric, planned
from ..messages import say
from ..model import Grade
from ..model.compressed import CompressedDict
from ..options import Settings
from ..reports import DRAWN, SINGLE
from ..reports.feedback import refuse_several
from ..resume.fingerprint import Fingerprints
from ..resume.grade_cache import GradeCache
from ..resume.journal import Entry, Journal, Key, place, read_journal
from ..worker import sandbox
from .class_paths import roster_of
from .earlier_report import kept_grades
from .executors import Executor, cluster_setup, judges, plan_values, refuse_workers
from .option_values import is_local
from .plugins import Contributions

if TYPE_CHECKING:
    from ..grading.pipeline import Grader
    from ..worker.client import Worker


class GradingSession:
    """What the items of one run share. Nothing here imports torch before it grades.

    `classes` says what there is to grade. Raises UsageProblem for a rubric, roster, bank or variant
    that is wrong.
    """

    def __init__(
        self,
        settings: Settings,
        contributions: Contributions,
        exercise: Exercise,
        classes: ClassPlan,
        cache: pytest.Cache | None,
        progress: Progress,
        clean: CleanZygote | None = None,
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
        self.roster: Roster | None = roster_of(settings, classes, contributions.suffixes)
        self._bank = contributions.bank(self._exercise, settings.variants)
        check_assignments(self._bank, settings.variant, self.roster)
        self._draws = any(target.format in DRAWN for target in settings.report)
        self.grader: Executor = self._judges(clean) if self._is_local else self._cluster(progress)
        self.came_early: CompressedDict[Grade] = CompressedDict(Grade)
        """Grades that came before their turn."""
        self._grading = False
        self.grades: CompressedDict[Grade] = CompressedDict(Grade)
        """Those that were asked for."""
        self.kept: dict[str, Grade] = {}
        """Those of an earlier run that the reports have besides."""
        self._keys: dict[str, Key] = {}
        self._past: Mapping[str, Entry] = {}
        self._journal_place = place(settings.report)
        self.journal: Journal | None = None
        self._cache_of_grades = None if settings.cache is None else GradeCache(settings.cache)

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
            journal = self.journal or read_journal(self._journal_place)
            self._past = journal.entries

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
        if not self._grading or (self._past and self._is_local):
            return self._probed
        return self.grader.sandbox or "unknown: the worker did not start"

    @functools.cached_property
    def _probed(self) -> str:
        return sandbox.probe()

    @property
    def _is_local(self) -> bool:
        return is_local(self.settings.executor)

    def _judges(self, clean: CleanZygote | None) -> Judges:
        settings = self.settings
        first = Judge(
            self._build,
            self.rubric,
            self._bank,
            self.roster,
            settings.variant,
            settings.timeout,
            (self._exercise.child,),
            self._setup() if self._is_plain(clean) else None,
            clean,
        )
        return Judges(first, judges(settings), self._reads, self._came)

    def _build(self, worker: Worker) -> Grader:
        """The grader, in the judge's process: it imports torch."""
        from ..grading.judge.judge import grader_of

        additions = self.contributions.additions()
        return grader_of(self._setup(), self._exercise, self._bank, worker, additions)

    def _is_plain(self, clean: CleanZygote | None) -> bool:
        """Whether a clean process can grade, and is not slower: it would import a torch that is here."""
        if self.contributions.judging(self._exercise):
            return False
        return clean is not None or ("torch" not in sys.modules and hasattr(os, "posix_spawn"))

    def _setup(self) -> Setup:
        exports = self._exports()
        return Setup(
            plan=plan_values(self.settings, self._draws),
            kind=self._exercise.name,
            bank=str(self._bank.directory),
            rubric=self.rubric,
            roster=self.roster,
            handed=self.handed,
            exports=None if exports is None else str(exports),
            language=self.settings.lang,
            environment=dict(os.environb),
        )

    def _cluster(self, progress: Progress) -> Cluster:
        settings, rubric = self.settings, self.rubric
        setup = cluster_setup(
            settings, rubric, self._bank, self._exercise, self._draws, self.contributions
        )
        models = "onnx" in planned(rubric)
        packing = Packing(self._bank, self.roster, settings.variant, self.handed, models)
        address = settings.executor.removeprefix("dask:")
        return Cluster(address, setup, packing, self._reads, self._came, progress)

    def _reads(self, path: Path, shown: str) -> None:
        """This file is about to be read, or sent to a cluster."""
        if (key := self._key(path, shown)) is not None:
            self._keys[shown] = key

    def _came(self, path: Path, shown: str, grade: Grade) -> None:
        """A grade came, maybe long before its turn: into the journal at once."""
        grade = replace(grade, student=student_of(self.roster, shown))
        settled = self.came_early[shown] = self._settled(path, shown, grade)
        key = self._keys.get(shown)
        if self.journal is not None and key is not None:
            with contextlib.suppress(OSError):  # it is tried again, and told, at its turn
                self.journal.append(key, settled)

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
        journal or the cache are not graded again.

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
        if self._past or self._cache_of_grades is not None:
            files = [file for file in files if not self._is_known(self._key(*file))]
        if files:
            self.grader.prepare(files)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission; computed once, or taken from the journal or the cache."""
        known = self.grades.get(shown)
        if known is None:
            graded = self._resumed_or_graded(path, shown)
            known = self.grades[shown] = identified(graded, self.roster)
        return known

    def key_of(self, shown: str) -> Key | None:
        """What the grade of a submission depended on; None where none is kept."""
        return self._keys.get(shown)

    def _resumed_or_graded(self, path: Path, shown: str) -> Grade:
        if shown in self.came_early:  # what is in journal and cache is of this run
            return self._graded(path, shown)
        key = self._keys.get(shown) or self._key(path, shown)
        if key is None:
            return self._graded(path, shown)
        self._keys[shown] = key
        past = self._earlier(key)
        if past is not None:
            return identified(past, self.roster)
        with contextlib.suppress(AnotherRun):
            if (again := self._reweighed(key)) is not None:
                return replace(again, taken_from="journal")
        return self._graded(path, shown)

    def _graded(self, path: Path, shown: str) -> Grade:
        self.grader.grade(path, shown)
        return self.came_early.pop(shown)

    def _settled(self, path: Path, shown: str, graded: Grade) -> Grade:
        """A fresh grade, finished, and kept where others may take it from."""
        graded = self._finished(graded)
        key = self._keys.get(shown)
        if key is None:
            return graded
        if (
            self._fingerprints.content(path, shown) != key.content
        ):  # which of the two was graded, nobody knows
            self._keys[shown] = msgspec.structs.replace(key, content="")
        elif self._cache_of_grades is not None:
            self._cache_of_grades.put(key, graded)
        return graded

    def _finished(self, grade: Grade) -> Grade:
        """A fresh grade as it is reported and kept: what is resumed is not changed once more."""
        handed = self.handed.get(grade.path)
        late = lateness_of(self.rubric.late, self.roster, handed, grade.path)
        return self.contributions.changed(
            deducted(identified(self._noted(grade), self.roster), late)
        )

    def _noted(self, grade: Grade) -> Grade:
        """The grade with what there is to say of how it was handed in."""
        handed = self.handed.get(grade.path)
        if handed is None or not handed.notes:
            return grade
        return msgspec.structs.replace(grade, notes=(*handed.notes, *grade.notes))

    def _earlier(self, key: Key | None) -> Grade | None:
        """The grade that an earlier run worked out, as this one reports it."""
        if key is None:
            return None
        entry = self._past.get(key.submission)
        if entry is not None and entry.holds_for(key) and self._is_drawn(entry.grade):
            return replace(entry.grade, taken_from="journal")
        cached = None if self._cache_of_grades is None else self._cache_of_grades.get(key)
        if cached is not None and self._is_drawn(cached):
            return replace(cached, taken_from="cache")
        return None

    def _is_known(self, key: Key | None) -> bool:
        """Whether the grade needs no run."""
        try:
            return key is not None and (self._earlier(key) or self._reweighed(key)) is not None
        except AnotherRun:
            return False

    def _reweighed(self, key: Key) -> Grade | None:
        """The grade under this rubric, from the verdicts that the journal has under another; None if it has
        none. Raises AnotherRun where they are not enough."""
        entry = self._past.get(key.submission)
        if entry is None or not entry.holds_under_another_rubric(key):
            return None
        before = entry.key.rubric
        if isinstance(before, str) or not self._is_drawn(entry.grade):
            return None
        if self.contributions.changes_grades:
            raise AnotherRun(say("a plugin changes finished grades"))
        name = entry.grade.variant
        if name is not None and name not in self._bank:
            raise AnotherRun(say("the task is the submission's own"))
        omitted = () if name is None else self._exercise.omitted(self._bank.get(name))
        grade = reweighed(entry.grade, before, self.rubric, omitted)
        return deducted(identified(grade, self.roster), key.late)

    def another_run(self, key: Key) -> str | None:
        """Why a submission was run again, though the rubric alone is new; None if that is not so."""
        try:
            self._reweighed(key)
        except AnotherRun as reason:
            return str(reason)
        return None

    def _unlike(self, entry: Entry) -> tuple[str, ...]:
        undrawn = () if self._is_drawn(entry.grade) else (say("its drawing is missing"),)
        return (*self._fingerprints.unlike(entry.key), *undrawn)

    def _is_drawn(self, grade: Grade) -> bool:
        """Whether it has the drawing that a report asks for: an earlier run may have drawn nothing."""
        return not self._draws or grade.drawing is not None or grade.status != "graded"

    def _key(self, path: Path, shown: str) -> Key | None:
        if self._journal_place is None and self._cache_of_grades is None:
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
