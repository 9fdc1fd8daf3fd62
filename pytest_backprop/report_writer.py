"""Gathers the grades of a run, in one process or from xdist's workers, and writes what was asked."""

from __future__ import annotations

import platform
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from .collect import Session
from .errors import UsageProblem
from .fingerprint import NAME, version
from .journal import Key
from .messages import say, say_count
from .model import Grade
from .options import Settings, settings_document
from .regrades import compared
from .reports import FOLDERS, RENDERERS
from .reports.document import ToolInfo, apply_hints, document, drawings
from .reports.folder import write_folder
from .reports.json_report import write_atomically
from .reports.terminal import Regrade, regrade_lines, summary_lines
from .rubric import grade as make_grade
from .rubric import not_judged_all
from .signals import undisturbed


class Reporter:
    """Registered where reports are written: not on xdist's workers."""

    def __init__(self, config: pytest.Config, settings: Settings, session: Session) -> None:
        self._config = config
        self._settings = settings
        self._session = session
        self._grades: dict[str, Grade] = {}
        self._planned: dict[str, None] = {}
        self._start = time.monotonic()
        self._problems: list[str] = []
        self._regrades: list[Regrade] = []
        self._resumed = 0
        self._left = 0
        self._unsaved: list[str] = []
        self._unsaved_reason = ""

    # -- gathering -------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._plan([item.nodeid for item in items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        first = not self._planned
        self._plan(ids)
        if first:  # workers are ready to grade: nobody has looked at the variants yet
            files = [(self._config.rootpath / shown, shown) for shown in self._planned]
            try:
                self._session.prepare(files)
            except UsageProblem as problem:
                pytest.exit(f"ERROR: {problem}", returncode=pytest.ExitCode.USAGE_ERROR)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = getattr(report, "backprop_grade", None)
        if text is not None:
            grade = msgspec.json.decode(text, type=Grade)
            if grade.path not in self._grades:
                self._grades[grade.path] = grade
                self._record(msgspec.json.decode(report.backprop_key, type=Key | None), grade)
                self._config.hook.pytest_backprop_graded(config=self._config, grade=grade)

    def _record(self, key: Key | None, grade: Grade) -> None:
        """Into the journal at once: whatever happens next, this grade is not lost."""
        journal = self._session.journal
        if journal is None or key is None:
            return
        before = journal.entries.get(grade.path)
        if before is not None:
            if before.key == key and before.grade == grade:
                self._resumed += 1
            else:
                self._regrades += compared(before, key, grade)
        try:
            journal.append(key, grade)
        except OSError as error:
            self._unsaved.append(grade.path)
            self._unsaved_reason = error.strerror or str(error)

    def _plan(self, ids: list[str]) -> None:
        self._planned.update(dict.fromkeys(nodeid.rpartition("::")[0] for nodeid in ids))

    # -- writing ---------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._config.option.collectonly or not self._planned:
            return
        with undisturbed():
            self._write_reports()
        if self._problems:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_reports(self) -> None:
        grades = self._all_grades()
        tool = ToolInfo(
            NAME,
            version(NAME) or "",
            version("torch"),
            platform.python_version(),
        )
        seconds = time.monotonic() - self._start
        made = apply_hints(
            document(grades, settings_document(self._settings), tool, seconds),
            self._settings.hints,
        )
        for target in self._settings.report:
            try:
                if target.format in FOLDERS:
                    write_folder(target.path, FOLDERS[target.format](made, drawings(grades)))
                else:
                    write_atomically(target.path, RENDERERS[target.format](made))
            except UsageProblem as problem:
                self._problems.append(str(problem))
        if self._unsaved and self._session.journal is not None:
            message = say_count(
                "the journal {journal} could not take {count} grade: {reason}",
                "the journal {journal} could not take {count} grades: {reason}",
                len(self._unsaved),
                journal=_nearby(self._session.journal.path),
                reason=self._unsaved_reason,
            )
            way_out = say("make room on that disk, then run again with --backprop-resume")
            self._problems.append(str(UsageProblem(message, way_out)))

    def _all_grades(self) -> list[Grade]:
        """Every planned submission: one that was never run is not judged, and says so."""
        rubric = self._session.rubric
        reason = say("the run ended before it was graded")
        for path in self._planned:
            if path not in self._grades:
                self._left += 1
                results = not_judged_all(rubric, reason)
                self._grades[path] = make_grade(
                    path, None, None, None, "grader_error", reason, results, rubric, 0.0
                )
        return list(self._grades.values())

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int
    ) -> None:
        write = terminalreporter
        if not self._planned:
            if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
                write.section("backprop")
                write.line(say("nothing to grade: no .py or .ipynb file was found"))
                write.line(
                    say("give the path of a notebook, or of a folder that holds submissions")
                )
            return
        if self._config.option.collectonly:
            return
        write.section("backprop")
        width = write._tw.fullwidth
        for text, markup in summary_lines(list(self._grades.values()), width, self._settings.hints):
            write.line(text, **markup)
        missing = self._session.missing(self._planned)
        for line in missing:
            write.line(line, yellow=True)
        for line in regrade_lines(self._regrades, width):
            write.line(line)
        self._tell_of_the_journal(write)
        for target in self._settings.report:
            write.line(say("report: {path}", path=_nearby(target.path)))
        for problem in self._problems:
            write.line(say("ERROR: {problem}", problem=problem), red=True)

    def _tell_of_the_journal(self, write: pytest.TerminalReporter) -> None:
        journal = self._session.journal
        if journal is None:
            return
        place = _nearby(journal.path)
        if journal.damaged:
            text = say_count(
                "{count} line of the journal {journal} was damaged and is left out",
                "{count} lines of the journal {journal} were damaged and are left out",
                journal.damaged,
                journal=place,
            )
            write.line(text, yellow=True)
        if self._resumed:
            text = say_count(
                "{count} grade was taken from the journal {journal}",
                "{count} grades were taken from the journal {journal}",
                self._resumed,
                journal=place,
            )
            write.line(text)
        if self._left:
            text = say_count(
                "{count} was not graded: the same command with --backprop-resume goes on",
                "{count} were not graded: the same command with --backprop-resume goes on",
                self._left,
            )
            write.line(text, yellow=True)
        write.line(say("journal: {journal}", journal=place))


def _nearby(path: Path) -> str:
    """A path as seen from here, if it is below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
