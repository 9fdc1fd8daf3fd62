"""pytest's view of a class: folders, a file a submission, an item a check."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ..classroom import MAX_DEPTH, listing, printable, shown_path
from ..errors import UsageProblem
from ..grading.rubric import planned
from ..model import Grade, GradedCheck
from ..reports.terminal import check_head, failure_lines, shown_check
from .grading_session import SESSION, GradingSession

SKIPPED_FOLDERS = frozenset({"__pycache__", ".ipynb_checkpoints", "__MACOSX"})
SKIPPED_FILES = frozenset({"conftest.py", "__init__.py"})

EXPLAINED = pytest.StashKey[set[str]]()
"""The submissions of which it was told why they could not be graded."""
SENT = pytest.StashKey[set[str]]()
"""The submissions whose grade an xdist worker has sent."""


# -- folders and files --------------------------------------------------------------------------


def collected(parent: pytest.Collector, path: Path) -> pytest.Collector | None:
    """What to collect for a file, or for the folder of a student who handed in nothing to grade."""
    session = parent.config.stash[SESSION]
    handed = session.classes.at.get(str(path))
    if handed is not None and path.suffix.lower() == ".zip":
        archive: ArchiveFile = ArchiveFile.from_parent(parent, path=path)
        return archive
    if handed is not None:
        return SubmissionFile.of(parent, path, handed[0].shown)
    if path.is_dir():
        return None
    if not parent.session.isinitpath(path):
        is_closed = any(path.is_relative_to(folder) for folder in session.classes.closed)
        if is_closed or not _is_eligible(path, session):
            return None
    return SubmissionFile.of(parent, path, shown_path(path, parent.config.rootpath))


def _is_eligible(path: Path, session: GradingSession) -> bool:
    """Whether a file found in a folder is a submission."""
    return (
        path.suffix in session.contributions.suffixes
        and path.name not in SKIPPED_FILES
        and not path.name.startswith(".")
        and not SKIPPED_FOLDERS.intersection(path.parts)
        and session.settings.variants not in path.parents
    )


class Folder(pytest.Directory):
    """A folder in which submissions are sought.

    pytest's own would follow links, import a package, and stop the run for all where one folder
    cannot be read.
    """

    depth = 0
    """Folders between this one and that of the command line."""

    @classmethod
    def below(cls, parent: pytest.Collector, path: Path) -> Folder:
        """The collector of a folder."""
        shown = shown_path(path, parent.config.rootpath)
        folder: Folder = cls.from_parent(
            parent, path=path, name=printable(path.name), nodeid=shown or "."
        )
        if isinstance(parent, Folder) and not parent.session.isinitpath(path, with_parents=True):
            folder.depth = parent.depth + 1
        return folder

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        look = listing(self.path)
        # the way to an argument may lead over a link: that one was asked for
        odd = [path for name, _ in look.odd if name and self._is_asked(path := self.path / name)]
        for path in sorted([*(Path(entry.path) for entry in look.entries), *odd]):
            is_folder = os.path.isdir(path)
            if not self._is_asked(path):
                if is_folder and self.depth >= MAX_DEPTH:
                    continue
                if self.ihook.pytest_ignore_collect(collection_path=path, config=self.config):
                    continue
            if is_folder:
                folder = self.ihook.pytest_collect_directory(path=path, parent=self)
                yield from () if folder is None else (folder,)
            else:
                yield from self.ihook.pytest_collect_file(file_path=path, parent=self)

    def _is_asked(self, path: Path) -> bool:
        return self.session.isinitpath(path, with_parents=True)


class ArchiveFile(pytest.File):
    """A zip: of a class, or of a student in a folder."""

    def collect(self) -> Iterator[SubmissionFile]:
        for handed in self.config.stash[SESSION].classes.at[str(self.path)]:
            file = SubmissionFile.of(self, Path(handed.path or self.path), handed.shown)
            # what `class.zip::ann.py` asks for; pytest has no path to compare
            file.name = handed.shown.removeprefix(f"{self.nodeid}/")
            yield file


class SubmissionFile(pytest.File):
    """One submission. Collecting it reads nothing: the checks are the rubric's."""

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, shown: str) -> SubmissionFile:
        """The collector of a submission, which reports name `shown`. pytest's own id would have
        the name as it is, and a slash for each backslash in it."""
        file: SubmissionFile = cls.from_parent(
            parent, path=path, name=printable(path.name), nodeid=shown
        )
        return file

    def collect(self) -> Iterator[CheckItem]:
        for check in planned(self.config.stash[SESSION].rubric):
            yield CheckItem.from_parent(self, name=check)


class NoTests(pytest.Collector):
    """Stands where pytest would import a submission as a test module."""

    def collect(self) -> list[pytest.Item]:
        return []


# -- items --------------------------------------------------------------------------------------


class NotEarned(Exception):
    """A check that did not pass, told in the words of its findings."""


class CheckItem(pytest.Item):
    """One check of one submission."""

    @property
    def shown(self) -> str:
        """The submission's name in reports: its path as pytest shows it."""
        return self.nodeid.rpartition("::")[0]

    @property
    def grade(self) -> Grade | None:
        """The submission's grade, once it was asked for."""
        return self.config.stash[SESSION].grades.get(self.shown)

    @property
    def graded(self) -> GradedCheck | None:
        """What the grade has of this check."""
        checks = () if self.grade is None else self.grade.checks
        return next((check for check in checks if check.result.id == self.name), None)

    def look_up(self) -> None:
        """Has the submission graded, for which the first of its checks waits."""
        try:
            self.config.stash[SESSION].grade(self.path, self.shown)
        except UsageProblem as problem:  # nothing more can be graded
            pytest.exit(f"ERROR: {problem}", returncode=pytest.ExitCode.USAGE_ERROR)

    def runtest(self) -> None:
        self.look_up()
        if self.graded is None or self.graded.result.outcome != "passed":
            raise NotEarned

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        graded = self.graded
        if graded is None or not isinstance(excinfo.value, NotEarned):
            return super().repr_failure(excinfo, style)
        hints = self.config.stash[SESSION].settings.hints
        check = shown_check(graded, hints)
        head = check_head(check)
        explained = self.config.stash.setdefault(EXPLAINED, set())
        if self.shown in explained:
            return head
        if self.grade is not None and self.grade.status != "graded":
            explained.add(self.shown)  # what stopped it is the same for all of its checks
        return "\n".join([head, *failure_lines(check, hints)])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        # the place travels with xdist's reports
        return Path(printable(self.path.as_posix())), None, f"{self.shown} {self.name}"


def submissions_of(items: Sequence[pytest.Item]) -> list[tuple[Path, str]]:
    """The submissions that items are of, each once, in order: its file, and its name in reports."""
    submissions = ((item.path, item.shown) for item in items if isinstance(item, CheckItem))
    return list(dict.fromkeys(submissions))


def attach(item: pytest.Item, report: pytest.TestReport) -> None:
    """Puts the grade on the report of an xdist worker's item, as plain data that xdist can carry,
    once a submission. The reporter of this process needs none: it has the session."""
    # pytest puts the names of files and folders among the keywords
    report.keywords = {printable(name): value for name, value in report.keywords.items()}
    if not hasattr(item.config, "workerinput"):
        return
    if report.when == "call" and isinstance(item, CheckItem) and item.grade is not None:
        sent = item.config.stash.setdefault(SENT, set())
        if item.shown not in sent:
            sent.add(item.shown)
            key = item.config.stash[SESSION].keys.get(item.shown)
            text = msgspec.json.encode((item.grade, key)).decode()
            report.backprop_grade = text  # type: ignore[attr-defined]
