"""Gathers the grades of a run, in one process or from xdist's workers, and writes what was asked."""

from __future__ import annotations

import itertools
import platform
import time
from collections.abc import Collection, Generator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ..errors import UsageProblem
from ..grading.assignment import identified
from ..grading.failures import without_grade
from ..messages import either, say, say_count
from ..model import Grade
from ..options import Settings, settings_document
from ..reports import FOLDERS, RENDERERS, SINGLE
from ..reports.class_summary import MANY, class_lines
from ..reports.csv_report import without_key
from ..reports.document import Document, ToolInfo
from ..reports.entries import apply_hints, document, drawings_of
from ..reports.folder import write_folder
from ..reports.gradebook import PRESETS, fill, other_total
from ..reports.json_report import write_atomically
from ..reports.regrades import Regrade, regrade_lines
from ..reports.terminal import summary_lines
from ..reports.text import one_line, visible
from ..resume.fingerprint import NAME, Key, compared, version
from .class_paths import TOLD, told
from .collect import CheckItem
from .earlier_lines import earlier_lines, nearby
from .grading_session import GradingSession
from .junit import add_totals, hide_checks
from .option_values import is_local
from .report_targets import gradebook_of
from .roster_report import attendance_lines, held, lateness_lines, left_out
from .termination import undisturbed


class Reporter:
    """Registered where reports are written: not on xdist's workers."""

    def __init__(self, config: pytest.Config, settings: Settings, session: GradingSession) -> None:
        self._config = config
        self._settings = settings
        self._session = session
        self._grades = session.grades
        self._gathered: set[str] = set()
        self._planned: dict[str, None] = {}
        self._start = time.monotonic()
        self._problems: list[str] = []
        self._regrades: list[Regrade] = []
        self._taken = 0
        self._left = 0
        self._unsaved: list[str] = []
        self._unsaved_reason = ""
        self._gradebook = gradebook_of(settings)
        self._told: list[str] = []
        rules = session.rubric.rules.items()
        hidden = {id for id, rule in rules if rule.visibility != "visible"}
        hide_checks(config, hidden, self._planned)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_header(self) -> Generator[None, list[str | list[str]], list[str | list[str]]]:
        """pytest tells the folder that it was started on, whose name may be a student's."""
        told = yield
        return [visible(t) if isinstance(t, str) else [visible(line) for line in t] for t in told]

    # -- gathering -------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Workers of xdist are told what there is to grade: zips are unpacked once."""
        node.workerinput[TOLD] = told(self._session.classes, self._config.args)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._plan([item.nodeid for item in items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        first = not self._planned
        self._plan(ids)
        if first:  # workers are ready to grade: nobody has looked at the variants yet
            top = self._config.rootpath
            files = [(self._session.path_of(shown, top), shown) for shown in self._planned]
            try:
                self._session.prepare(files)
            except UsageProblem as problem:
                pytest.exit(f"ERROR: {problem}", returncode=pytest.ExitCode.USAGE_ERROR)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """A cluster's grades are waited for between two lines of the terminal, where progress is told."""
        if isinstance(item, CheckItem) and not is_local(self._settings.executor):
            item.look_up()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = getattr(report, "backprop_grade", None)
        if text is not None:
            key = msgspec.json.decode(report.backprop_key, type=Key | None)
            self._gather(msgspec.json.decode(text, type=Grade), key)
        elif report.when == "call":
            shown = report.nodeid.rpartition("::")[0]
            if shown not in self._gathered and shown in self._grades:
                self._gather(self._grades[shown], self._session.key_of(shown))
        else:
            self._forget(report)

    def _forget(self, report: pytest.TestReport) -> None:
        """The terminal keeps three reports a check. Of a check's setup and teardown, where nothing happened,
        it tells no more than how long they took, if it is asked."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None or self._config.option.durations is not None or report.sections:
            return
        kept = terminal.stats.get("", [])
        if report.passed and kept and kept[-1] is report:
            kept.pop()

    def _gather(self, grade: Grade, key: Key | None) -> None:
        if grade.path not in self._gathered:
            self._gathered.add(grade.path)
            self._grades.setdefault(grade.path, grade)
            self._record(key, grade)
            self._config.hook.pytest_backprop_graded(config=self._config, grade=grade)

    def _record(self, key: Key | None, grade: Grade) -> None:
        """Into the journal at once: whatever happens next, this grade is not lost."""
        self._taken += grade.taken_from is not None
        journal = self._session.journal
        if journal is None or key is None:
            return
        grade = msgspec.structs.replace(grade, taken_from=None)  # what is kept is the grade
        before = journal.entries.get(grade.path)
        if before is not None and (before.key, before.grade) != (key, grade):
            self._regrades += compared(before, key, grade)
        try:
            journal.append(key, grade)
        except OSError as error:
            self._unsaved.append(grade.path)
            self._unsaved_reason = error.strerror or str(error)

    def _plan(self, ids: list[str]) -> None:
        self._planned.update(dict.fromkeys(nodeid.rpartition("::")[0] for nodeid in ids))
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._is_class and terminal is not None:
            terminal.showfspath = False

    @property
    def _is_class(self) -> bool:
        """Whether there are too many submissions to tell of each why its checks failed, unasked."""
        return len(self._planned) > MANY and self._config.get_verbosity() < 1

    def _shorten(self) -> None:
        """What pytest tells of each item that failed is left out, but where it was asked for."""
        if self._config.option.tbstyle == "auto":
            self._config.option.tbstyle = "no"
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None and self._config.option.reportchars in ("", "fE"):
            terminal.reportchars = ""

    # -- writing ---------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._config.option.collectonly:
            return
        nothing = not self._planned
        if nothing and exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED:
            return
        if self._is_class:
            self._shorten()
        with undisturbed():
            # of a class that is not there, nobody waits for a report
            self._write_reports(only=SINGLE if nothing else None)
        if self._problems:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_reports(self, only: Collection[str] | None = None) -> None:
        from ..likeness.comparison import compare  # numpy

        grades = self._with_kept(self._all_grades())
        tool = ToolInfo(
            NAME,
            version(NAME) or "",
            version("torch"),
            platform.python_version(),
        )
        seconds = time.monotonic() - self._start
        made = apply_hints(
            document(
                grades.values(),
                settings_document(self._settings),
                tool,
                seconds,
                held(
                    self._session.roster,
                    self._grades.values(),
                    self._session.handed,
                    self._session.kept,
                ),
                left_out(self._session.classes),
                compare(grades.values()),
            ),
            self._settings.hints,
        )
        self._told += self._alike_lines(made)
        for target in self._settings.report:
            if only is not None and target.format not in only:
                continue
            try:
                if target.format in FOLDERS:
                    drawings = drawings_of(grades)
                    files = FOLDERS[target.format](made, drawings)
                    if target.format == "html":
                        from ..likeness import page as alike_page

                        files = itertools.chain(files, alike_page.files(made, drawings))
                    write_folder(target.path, files)
                elif target.format in self._session.contributions.formats:
                    render = self._session.contributions.formats[target.format]
                    write_atomically(target.path, render(made))
                else:
                    write_atomically(target.path, self._rendered(target.format, made))
            except UsageProblem as problem:
                self._problems.append(str(problem))
        add_totals(self._config, made)
        if self._unsaved and self._session.journal is not None:
            message = say_count(
                "the journal {journal} could not take {count} grade: {reason}",
                "the journal {journal} could not take {count} grades: {reason}",
                len(self._unsaved),
                journal=nearby(self._session.journal.path),
                reason=self._unsaved_reason,
            )
            way_out = say("make room on that disk, then run again with --backprop-resume")
            self._problems.append(str(UsageProblem(message, way_out)))

    def _alike_lines(self, made: Document) -> list[str]:
        """How many pairs the instructor should look at, and where."""
        count = len(made.alike.pairs) + made.alike.left_out
        if not count:
            return []
        from ..likeness.page import ALIKE_PAGE

        folders = [target.path for target in self._settings.report if target.format == "html"]
        return [
            say_count(
                "{count} pair is more alike than its task makes it: see {place}",
                "{count} pairs are more alike than their task makes them: see {place}",
                count,
                place=nearby(folders[0] / ALIKE_PAGE) if folders
                else say("what --backprop-report html:FOLDER writes"),
            )
        ]  # fmt: skip

    def _rendered(self, format: str, made: Document) -> str:
        """The text of a report; what of a gradebook or class fits nowhere is kept to be told."""
        if format not in PRESETS:
            return RENDERERS[format](made)
        gradebook = self._gradebook
        if gradebook is None or PRESETS[format] != gradebook.kind:
            self._told += [
                say("{submission} is not in {format}: the roster tells no id and no e-mail",
                    submission=entry.path, format=format)
                for entry in without_key(made)
            ]  # fmt: skip
            return RENDERERS[format](made)
        filling = fill(gradebook, made)
        place = nearby(Path(gradebook.source))
        self._told.append(
            say_count("{count} grade is filled in in the gradebook {gradebook}",
                      "{count} grades are filled in in the gradebook {gradebook}",
                      filling.filled, gradebook=place)
        )  # fmt: skip
        self._told += [
            say(
                "not in the gradebook: {submission} ({reason})", submission=path, reason=say(reason)
            )
            for path, reason in filling.left
        ]
        self._told += [
            say("no new grade in the gradebook: {student}", student=one_line(name))
            for name in filling.empty
        ]
        differs = other_total(gradebook, made)
        if differs is not None:
            self._told.append(
                say("the gradebook's column is worth {points} points, the rubric {total}",
                    points=differs[0], total=differs[1])
            )  # fmt: skip
        return filling.text

    def _with_kept(self, grades: Mapping[str, Grade]) -> Mapping[str, Grade]:
        """The grades of this run, and those that the reports have besides."""
        return {**grades, **self._session.kept}

    def _all_grades(self) -> Mapping[str, Grade]:
        """Every planned submission: one that was never run is not judged, and says so."""
        rubric, roster = self._session.rubric, self._session.roster
        reason = say("the run ended before it was graded")
        for path, grade in self._session.finished.items():  # an interrupt came before its turn
            if path not in self._gathered:
                self._grades[path] = grade
                self._gathered.add(path)
        for path in self._planned:
            if path not in self._gathered:
                self._left += 1
                unreached = without_grade(rubric, path, "not_reached", reason, 0.0)
                self._grades[path] = identified(unreached, roster)
        return self._grades

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int
    ) -> None:
        write = terminalreporter
        if not self._planned:
            if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
                write.section("backprop")
                for line in attendance_lines(None, self._session.classes, None):
                    write.line(line, yellow=True)
                suffixes = either(self._session.contributions.suffixes)
                write.line(say("nothing to grade: no {suffixes} file was found", suffixes=suffixes))
                write.line(
                    say("give the path of a notebook, or of a folder that holds submissions")
                )
            return
        if self._config.option.collectonly:
            return
        write.section("backprop")
        width = write._tw.fullwidth
        lines = class_lines if self._is_class else summary_lines
        for text, markup in lines(self._grades.values(), width, self._settings.hints):
            write.line(text, **markup)
        session = self._session
        standing = held(session.roster, self._grades.values(), session.handed, session.kept)
        told = attendance_lines(standing, self._session.classes, self._session.roster)
        for line in (*told, *lateness_lines(self._grades.values())):
            write.line(line, yellow=True)
        for line in regrade_lines(self._regrades, width):
            write.line(line)
        for text, markup in earlier_lines(
            self._session.journal, self._taken, self._left, self._session.kept
        ):
            write.line(text, **markup)
        for line in self._told:
            write.line(line, yellow=True)
        for target in self._settings.report:
            write.line(say("report: {path}", path=nearby(target.path)))
        for problem in self._problems:
            write.line(say("ERROR: {problem}", problem=problem), red=True)
