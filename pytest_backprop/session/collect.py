"""pytest's view of a class: a file a submission, an item a check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ..classroom import HandIn, printable, shown_path
from ..errors import UsageProblem
from ..grading.rubric import planned
from ..model import Grade, GradedCheck
from ..reports.terminal import check_head, failure_lines, shown_check
from .grading_session import SESSION, GradingSession

SKIPPED_FOLDERS = frozenset({"__pycache__", ".ipynb_checkpoints", "__MACOSX"})
SKIPPED_FILES = frozenset({"conftest.py", "__init__.py"})


def eligible(path: Path, session: GradingSession) -> bool:
    """Whether a file found in a folder is a submission."""
    return (
        path.suffix in session.contributions.suffixes
        and path.name not in SKIPPED_FILES
        and not path.name.startswith(".")
        and not SKIPPED_FOLDERS.intersection(path.parts)
        and session.settings.variants not in path.parents
    )


def collected(parent: pytest.Collector, path: Path) -> pytest.Collector | None:
    """What to collect for a file, or for the folder of a student who handed in nothing to grade."""
    session = parent.config.stash[SESSION]
    classes = session.classes
    found = classes.at.get(str(path))
    if found is not None and path.suffix.lower() == ".zip":
        archive: ArchiveFile = ArchiveFile.from_parent(parent, path=path)
        return archive
    if found is not None:
        return handed_file(parent, path, found[0])
    if path.is_dir():
        return None
    if parent.session.isinitpath(path):
        return submission_file(parent, path)
    closed = any(path.is_relative_to(folder) for folder in classes.closed)
    return submission_file(parent, path) if eligible(path, session) and not closed else None


def handed_file(parent: pytest.Collector, path: Path, handed: HandIn) -> SubmissionFile:
    """The collector of a submission that came in a zip, or out of several files."""
    name = printable(path.name)
    made: SubmissionFile = SubmissionFile.from_parent(
        parent, path=path, name=name, nodeid=handed.shown
    )
    return made


def submission_file(parent: pytest.Collector, path: Path) -> SubmissionFile:
    """The collector of a file. Its id is ours: pytest's would have the name as it is, and a slash for
    each backslash in it."""
    made: SubmissionFile = SubmissionFile.from_parent(
        parent,
        path=path,
        name=printable(path.name),
        nodeid=shown_path(path, parent.config.rootpath),
    )
    return made


class SubmissionFile(pytest.File):
    """One submission. Collecting it reads nothing: the checks are the rubric's."""

    def collect(self) -> Iterator[CheckItem]:
        session = self.config.stash[SESSION]
        for check in planned(session.rubric):
            yield CheckItem.from_parent(self, name=check)


class ArchiveFile(pytest.File):
    """A zip: of a class, or of a student in a folder."""

    def collect(self) -> Iterator[SubmissionFile]:
        top = f"{self.nodeid}/"
        for handed in self.config.stash[SESSION].classes.at[str(self.path)]:
            made = handed_file(self, Path(handed.path or self.path), handed)
            # what `class.zip::ann.py` asks for; pytest has no path to compare
            made.name = handed.shown.removeprefix(top)
            yield made


class NoTests(pytest.Collector):
    """Stands where pytest would import a submission as a test module."""

    def collect(self) -> list[pytest.Item]:
        return []


class NotEarned(Exception):
    """A check that did not pass, told in the words of its findings."""


class CheckItem(pytest.Item):
    """One check of one submission."""

    @property
    def grade(self) -> Grade | None:
        """The submission's grade, once it was asked for."""
        return self.config.stash[SESSION].grades.get(self.shown)

    @property
    def graded(self) -> GradedCheck | None:
        """What the grade has of this check."""
        checks = () if self.grade is None else self.grade.checks
        return next((check for check in checks if check.result.id == self.name), None)

    def look_up(self) -> Grade:
        """The submission's grade, which the first of its checks waits for."""
        try:
            return self.config.stash[SESSION].grade(self.path, self.shown)
        except UsageProblem as problem:  # nothing more can be graded
            pytest.exit(f"ERROR: {problem}", returncode=pytest.ExitCode.USAGE_ERROR)

    def runtest(self) -> None:
        self.look_up()
        if self.graded is None or self.graded.result.outcome != "passed":
            raise NotEarned

    @property
    def shown(self) -> str:
        """The submission's name in reports: its path as pytest shows it."""
        return self.nodeid.rpartition("::")[0]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        graded = self.graded
        if graded is None or not isinstance(excinfo.value, NotEarned):
            return super().repr_failure(excinfo, style)
        settings = self.config.stash[SESSION].settings
        check = shown_check(graded, settings.hints)
        head = check_head(check)
        if self._is_told_above():
            return head
        return "\n".join([head, *failure_lines(check, settings.hints)])

    def _is_told_above(self) -> bool:
        """Whether this check fails for what stopped the whole submission, told with its first check."""
        if self.grade is None or self.grade.status == "graded":
            return False
        first = planned(self.config.stash[SESSION].rubric)[0]
        return self.name != first and self.shown in _having(first, self.session)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        # the place travels with xdist's reports
        return Path(printable(self.path.as_posix())), None, f"{self.shown} {self.name}"


def _having(check: str, session: pytest.Session) -> frozenset[str]:
    """The submissions of which this check is among the items of the run. Called when these are settled."""
    if HAVING not in session.stash:
        session.stash[HAVING] = frozenset(
            item.shown
            for item in session.items
            if isinstance(item, CheckItem) and item.name == check
        )
    return session.stash[HAVING]


HAVING = pytest.StashKey[frozenset[str]]()


def submissions_of(items: Sequence[pytest.Item]) -> list[tuple[Path, str]]:
    """The submissions that items are of, each once, in order: its file, and its name in reports."""
    found = ((item.path, item.shown) for item in items if isinstance(item, CheckItem))
    return list(dict.fromkeys(found))


def attach(item: pytest.Item, report: pytest.TestReport) -> None:
    """Puts the grade on the report of an item, as plain data that xdist can carry, where that is to: the
    reporter of this process knows the session."""
    # pytest puts the names of files and folders among the keywords
    report.keywords = {printable(name): value for name, value in report.keywords.items()}
    if not hasattr(item.config, "workerinput"):
        return
    if report.when == "call" and isinstance(item, CheckItem) and item.grade is not None:
        session = item.config.stash[SESSION]
        if item.name == planned(session.rubric)[0] or not _sent(item):
            item.config.stash.setdefault(SENT, set()).add(item.shown)
            report.backprop_grade = msgspec.json.encode(item.grade).decode()  # type: ignore[attr-defined]
            report.backprop_key = msgspec.json.encode(session.key_of(item.shown)).decode()  # type: ignore[attr-defined]


SENT = pytest.StashKey[set[str]]()


def _sent(item: CheckItem) -> bool:
    return item.shown in item.config.stash.setdefault(SENT, set())
