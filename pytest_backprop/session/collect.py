"""pytest's view of a class: folders, a file a submission, an item a check.

This module is registered as a plugin of pytest's by `plugin.py`, under `--backprop` alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..classroom import printable
from ..errors import UsageProblem
from ..grading.assignment import usual, worth
from ..messages import say, use_language
from ..model import Grade, GradedCheck
from ..model.verdict import part_of, status_of
from ..reports.entries import check_entry, hinted
from ..reports.terminal import check_head, failure_lines, wrapped
from .grading_session import SESSION
from .roster_report import arrival_lines

# -- what is collected --------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector:
    collector: Class = Class.from_parent(parent, path=path, name="class", nodeid=".")
    return collector


class Class(pytest.Directory):
    """All submissions of the run. The plan has them: nothing is sought here."""

    def collect(self) -> Iterator[SubmissionFile]:
        plan = self.config.stash[SESSION].classes
        for shown, handed in plan.handed.items():
            path = Path(handed.path or os.path.join(plan.top, handed.place))
            yield SubmissionFile.from_parent(self, path=path, name=shown, nodeid=shown)


class SubmissionFile(pytest.File):
    """One submission. Collecting it reads nothing: the checks are the rubric's."""

    def collect(self) -> Iterator[CheckItem]:
        session = self.config.stash[SESSION]
        for check in session.classes.checks.get(self.nodeid) or session.checks_of(self.nodeid):
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
            pytest.exit(f"ERROR: {problem.wrapped()}", returncode=pytest.ExitCode.USAGE_ERROR)

    def runtest(self) -> None:
        self.look_up()
        if self.graded is None or self.graded.result.outcome != "passed":
            raise NotEarned

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        graded, grade = self.graded, self.grade
        if graded is None or grade is None or not isinstance(excinfo.value, NotEarned):
            return super().repr_failure(excinfo, style)
        session = self.config.stash[SESSION]
        check = hinted(check_entry(graded), session.settings.hints)
        whole = self.shown, part_of(self.name) if grade.status == "graded" else ""
        if whole in session.explained:
            return check_head(check)
        if status_of(grade, self.name) != "graded":
            session.explained.add(whole)  # what stopped it is the same for all of its checks
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
    parts = [] if session.settings.assignment is None else wrapped(worth(usual(session.parts)), "")
    return [head, *parts, *arrival_lines(session.classes, session.roster)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.collectonly:
        return
    files = ((item.path, item.shown) for item in items if isinstance(item, CheckItem))
    try:
        config.stash[SESSION].prepare(dict.fromkeys(files))
    except UsageProblem as problem:
        raise pytest.UsageError(problem.wrapped()) from None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Waits for a cluster's grade here, where pytest captures nothing: the terminal shows how many
    workers there are."""
    if isinstance(item, CheckItem) and not item.config.stash[SESSION].is_local:
        item.look_up()


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[SESSION].close()
    use_language("en")  # pytest may run again in this process
