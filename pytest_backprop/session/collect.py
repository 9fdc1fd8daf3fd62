"""pytest's view of a class: folders, a file a submission, an item a check.

This module is registered as a plugin of pytest's by `plugin.py`, under `--backprop` alone.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..classroom import MAX_DEPTH, listing, printable, shown_path
from ..errors import UsageProblem
from ..grading.rubric import planned
from ..messages import say, use_language
from ..model import Grade, GradedCheck
from ..reports.terminal import check_head, failure_lines, shown_check
from .grading_session import SESSION
from .roster_report import arrival_lines

SKIPPED_FOLDERS = frozenset({"__pycache__", ".ipynb_checkpoints", "__MACOSX"})
SKIPPED_FILES = frozenset({"conftest.py", "__init__.py"})


def is_submission(path: Path, suffixes: Collection[str]) -> bool:
    """Whether a file in a folder is a submission, by its name."""
    return (
        path.suffix in suffixes
        and path.name not in SKIPPED_FILES
        and not path.name.startswith(".")
        and not SKIPPED_FOLDERS.intersection(path.parts)
    )


# -- folders and files --------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return pytest_collect_file(path, parent) or Folder.below(parent, path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """What to collect for a file, or for the folder of a student who handed in nothing to grade."""
    session = parent.config.stash[SESSION]
    handed = session.classes.at.get(str(file_path))
    if handed is not None and file_path.suffix.lower() == ".zip":
        archive: ArchiveFile = ArchiveFile.from_parent(parent, path=file_path)
        return archive
    if handed is not None:
        return SubmissionFile.of(parent, file_path, handed[0].shown)
    if file_path.is_dir():
        return None
    if not parent.session.isinitpath(file_path) and (
        any(file_path.is_relative_to(folder) for folder in session.classes.closed)
        or not is_submission(file_path, session.contributions.suffixes)
        or session.settings.variants in file_path.parents
    ):
        return None
    return SubmissionFile.of(parent, file_path, shown_path(file_path, parent.config.rootpath))


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
        graded, grade = self.graded, self.grade
        if graded is None or grade is None or not isinstance(excinfo.value, NotEarned):
            return super().repr_failure(excinfo, style)
        session = self.config.stash[SESSION]
        check = shown_check(graded, session.settings.hints)
        if self.shown in session.explained:
            return check_head(check)
        if grade.status != "graded":
            session.explained.add(self.shown)  # what stopped it is the same for all of its checks
        return "\n".join([check_head(check), *failure_lines(check, session.settings.hints)])

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return Path(printable(self.path.as_posix())), None, f"{self.shown} {self.name}"


# -- the run ------------------------------------------------------------------------------------


def pytest_report_header(config: pytest.Config) -> list[str]:
    session = config.stash[SESSION]
    head = say(
        "backprop: sandbox {level}; variants {bank}; seed {seed}",
        level=session.sandbox_level(),
        bank=session.settings.typed["variants"],
        seed=session.settings.seed,
    )
    return [head, *arrival_lines(session.classes, session.roster)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.collectonly:
        return
    files = ((item.path, item.shown) for item in items if isinstance(item, CheckItem))
    try:
        config.stash[SESSION].prepare(dict.fromkeys(files))
    except UsageProblem as problem:
        raise pytest.UsageError(str(problem)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Waits for a cluster's grade here, where pytest captures nothing: the terminal shows how far
    the run has come."""
    if isinstance(item, CheckItem) and not item.config.stash[SESSION].is_local:
        item.look_up()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[SESSION].close()
    use_language("en")  # pytest may run again in this process
