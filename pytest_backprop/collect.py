"""pytest's view of a class: a file a submission, an item a check."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from .assignment import check_assignments
from .bank import load_bank
from .errors import GraderFault, UsageProblem
from .fingerprint import Fingerprints
from .journal import Entry, Journal, Key, place, read_journal
from .messages import say
from .model import Grade, GradedCheck
from .options import Settings
from .reports import DRAWN
from .reports.terminal import failure_lines
from .roster import load_roster
from .rubric import default_rubric, load_rubric, planned
from .worker import sandbox
from .worker.client import Worker

if TYPE_CHECKING:
    from .pipeline import Grader

SUFFIXES = (".py", ".ipynb")
SKIPPED_FOLDERS = frozenset({"__pycache__", ".ipynb_checkpoints", "__MACOSX"})
SKIPPED_FILES = frozenset({"conftest.py", "__init__.py"})


class Session:
    """What the items of one run share. Nothing here imports torch before it grades.

    Raises UsageProblem for a rubric, roster, bank or variant that is wrong.
    """

    def __init__(self, settings: Settings, cache: pytest.Cache | None = None) -> None:
        self.settings = settings
        self._cache = cache
        self.rubric = load_rubric(settings.rubric) if settings.rubric else default_rubric()
        self._roster = load_roster(settings.roster) if settings.roster else None
        self._bank = load_bank(settings.variants)
        check_assignments(self._bank, settings.variant, self._roster)
        self._worker = Worker()
        self._grading = False
        self._grades: dict[str, Grade] = {}
        self._keys: dict[str, Key] = {}
        self._past: Mapping[str, Entry] = {}
        self._draws = any(target.format in DRAWN for target in settings.report)
        self._journal_place = place(target.path for target in settings.report)
        self.journal: Journal | None = None
        self._following: dict[str, tuple[Path, str]] = {}

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
        """Starts the worker, which imports torch while this process does; only if `grading`, as
        xdist's workers have each their own.

        Raises UsageProblem when the kernel's sandbox is required and not to be had.
        """
        self._grading = grading
        if grading:
            self._worker.start()
            assert self.grader is not None
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
        if not self._grading:
            return sandbox.probe()
        try:
            return self._worker.ready().sandbox
        except GraderFault:
            return "unknown: the worker did not start"

    @functools.cached_property
    def grader(self) -> Grader:
        """Made when it is first needed: it imports torch."""
        from .pipeline import Grader, Plan

        settings = self.settings
        plan = Plan(
            variant=settings.variant,
            class_name=settings.class_name,
            seed=settings.seed,
            points=settings.points,
            rtol=settings.rtol,
            atol=settings.atol,
            seconds=settings.timeout,
            memory=settings.memory_mb * 2**20,
            sandbox=settings.sandbox != "off",
            exports=self._exports(),
            drawing=self._draws,
        )
        return Grader(plan, self.rubric, self._bank, self._roster, self._worker)

    def _exports(self) -> Path | None:
        """Where exports are kept from run to run: in pytest's own cache, if that is on."""
        if self._cache is None or "onnx" not in planned(self.rubric):
            return None
        try:
            return self._cache.mkdir("backprop-exports")
        except OSError:
            return None  # a folder that is only for reading

    def close(self) -> None:
        """Ends the worker, also in the middle of a submission."""
        if "grader" in self.__dict__:
            self.grader.close()
        self._worker.close()
        if self.journal is not None:
            self.journal.close()

    def missing(self, shown: Iterable[str]) -> list[str]:
        """A line for each student of the roster without a submission among those `shown`."""
        if self._roster is None:
            return []
        return [
            say(
                "no submission from {student} ({submission}, {variant})",
                student=entry.student,
                submission=entry.submission,
                variant=entry.variant,
            )
            for entry in self._roster.unmatched(shown)
        ]

    def expect(self, items: Sequence[pytest.Item]) -> None:
        """Tells in which order the submissions will be graded, so that each can run ahead.

        Raises UsageProblem when the settings cannot tell right from wrong on a variant in use.
        """
        files = dict.fromkeys(
            (item.path, item.shown) for item in items if isinstance(item, CheckItem)
        )
        self.prepare(files)

    def prepare(self, files: Iterable[tuple[Path, str]]) -> None:
        """The same for files, of which those in the journal are not graded again."""
        if self._past:
            files = [file for file in files if self._journaled(self._key(*file)) is None]
        for (_, shown), following in itertools.pairwise(files):
            self._following[shown] = following
        self.grader.prepare(files)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission; computed once, or taken from the journal."""
        known = self._grades.get(shown)
        if known is None:
            known = self._grades[shown] = self._resumed_or_graded(path, shown)
        return known

    def key_of(self, shown: str) -> Key | None:
        """What the grade of a submission depended on; None where no journal is kept."""
        return self._keys.get(shown)

    def _resumed_or_graded(self, path: Path, shown: str) -> Grade:
        key = self._keys.get(shown) or self._key(path, shown)
        if key is None:
            return self.grader.grade(path, shown, self._following.get(shown))
        self._keys[shown] = key
        past = self._journaled(key)
        if past is not None:
            return past
        following = self._following.get(shown)
        if following is not None:  # it is about to be read: a later key may be another file's
            ahead = self._key(*following)
            assert ahead is not None
            self._keys[following[1]] = ahead
        graded = self.grader.grade(path, shown, following)
        if (
            self._fingerprints.content(path) != key.content
        ):  # which of the two was graded, nobody knows
            self._keys[shown] = msgspec.structs.replace(key, content="")
        return graded

    def _journaled(self, key: Key | None) -> Grade | None:
        entry = None if key is None else self._past.get(key.submission)
        if entry is None or key is None or not entry.holds_for(key):
            return None
        undrawn = entry.grade.drawing is None and entry.grade.status == "graded"
        return None if undrawn and self._draws else entry.grade  # an earlier run drew nothing

    def _key(self, path: Path, shown: str) -> Key | None:
        return None if self._journal_place is None else self._fingerprints.key(path, shown)

    @functools.cached_property
    def _fingerprints(self) -> Fingerprints:
        level = self.sandbox_level()
        return Fingerprints(self.settings, self.rubric, self._bank, self._roster, level)


SESSION = pytest.StashKey[Session]()


def eligible(path: Path, settings: Settings) -> bool:
    """Whether a file found in a folder is a submission."""
    return (
        path.suffix in SUFFIXES
        and path.name not in SKIPPED_FILES
        and not path.name.startswith(".")
        and not SKIPPED_FOLDERS.intersection(path.parts)
        and settings.variants not in path.parents
    )


def submission_file(parent: pytest.Collector, path: Path) -> SubmissionFile:
    """The collector of a file. A name that is no text (`b"\\xff.py"`) is spelt out: neither xdist nor
    a report can carry it, and one such name would end the run for all."""
    top = parent.config.rootpath
    name = path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
    spelt = _spelt(name)
    if spelt == name:
        plain: SubmissionFile = SubmissionFile.from_parent(parent, path=path)
        return plain
    renamed: SubmissionFile = SubmissionFile.from_parent(parent, path=path, nodeid=spelt)
    return renamed


def _spelt(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


class SubmissionFile(pytest.File):
    """One submission. Collecting it reads nothing: the checks are the rubric's."""

    def collect(self) -> Iterator[CheckItem]:
        session = self.config.stash[SESSION]
        for check in planned(session.rubric):
            yield CheckItem.from_parent(self, name=check)


class NoTests(pytest.Collector):
    """Stands where pytest would import a submission as a test module."""

    def collect(self) -> list[pytest.Item]:
        return []


class NotEarned(Exception):
    """A check that did not pass, told in the words of its findings."""


class CheckItem(pytest.Item):
    """One check of one submission."""

    graded: GradedCheck | None = None
    grade: Grade | None = None

    def runtest(self) -> None:
        session = self.config.stash[SESSION]
        self.grade = session.grade(self.path, self.shown)
        self.graded = next(c for c in self.grade.checks if c.result.id == self.name)
        if self.graded.result.outcome != "passed":
            raise NotEarned

    @property
    def shown(self) -> str:
        """The submission's name in reports: its path as pytest shows it."""
        return self.nodeid.rpartition("::")[0]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if self.graded is None or not isinstance(excinfo.value, NotEarned):
            return super().repr_failure(excinfo, style)
        settings = self.config.stash[SESSION].settings
        head = say(
            "{check}: {score:g} of {max_score:g} points",
            check=self.name,
            score=self.graded.score,
            max_score=self.graded.max_score,
        )
        return "\n".join([head, *failure_lines(self.graded.result, settings.hints)])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        # the place travels with xdist's reports
        return Path(_spelt(str(self.path))), None, f"{self.shown} {self.name}"


def attach(item: pytest.Item, report: pytest.TestReport) -> None:
    """Puts the grade on the report of an item, as plain data that xdist can carry."""
    # pytest puts the names of files and folders among the keywords
    report.keywords = {_spelt(name): value for name, value in report.keywords.items()}
    if report.when == "call" and isinstance(item, CheckItem) and item.grade is not None:
        session = item.config.stash[SESSION]
        if item.name == planned(session.rubric)[0] or not _sent(item):
            item.config.stash.setdefault(SENT, set()).add(item.shown)
            report.backprop_grade = msgspec.json.encode(item.grade).decode()  # type: ignore[attr-defined]
            report.backprop_key = msgspec.json.encode(session.key_of(item.shown)).decode()  # type: ignore[attr-defined]


SENT = pytest.StashKey[set[str]]()


def _sent(item: CheckItem) -> bool:
    return item.shown in item.config.stash.setdefault(SENT, set())
