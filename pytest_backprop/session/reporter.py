"""Gathers the grades of a run, writes them into reports to their end, whatever interrupts it, and
tells of them; and keeps hidden checks out of pytest's own JUnit XML."""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import signal
import threading
import time
from collections.abc import Collection, Container, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.junitxml import xml_key  # as pytest's own `record_testsuite_property` does

from .. import rooms
from ..errors import UsageProblem
from ..extension import Renderer
from ..grading.assignment import identified
from ..grading.grades import nothing_judged
from ..grading.rubric import check_id
from ..messages import either, say, say_count
from ..model.drawing import Drawing
from ..options import TERMINAL, ReportTarget, settings_document
from ..reports import ALIKE_PAGE, FOLDERS, RENDERERS, SINGLE
from ..reports.csv_report import with_key
from ..reports.document import Document, ToolInfo
from ..reports.entries import apply_hints, document, drawings_of
from ..reports.gradebook import PRESETS, Gradebook, fill
from ..reports.terminal import MANY, Line, class_lines, regrade_lines, summary_lines
from ..reports.text import visible
from ..reports.writing import write_atomically, write_folder
from ..resume import NAME, version
from .grading_session import GradingSession
from .report_targets import gradebook_of
from .roster_report import attendance, attendance_lines, lateness_lines, left_out


def tell(config: pytest.Config, text: str) -> None:
    """Writes a line on the terminal, between pytest's own."""
    terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or config.get_verbosity() < 0:
        return
    if terminal._tw.width_of_current_line and not terminal.currentfspath:
        terminal._tw.line()  # after the dots of a class of many
    terminal.write_line(text)
    terminal.flush()


YELLOW = {"yellow": True}


class Reporter:
    """Registered as a plugin of pytest's, under `--backprop` alone."""

    def __init__(self, config: pytest.Config, session: GradingSession) -> None:
        self._config = config
        self._settings = session.settings
        self._session = session
        self._terminal: Any = config.pluginmanager.get_plugin("terminalreporter")
        self._planned: dict[str, None] = {}
        self._start = time.monotonic()
        self._gradebook = gradebook_of(session.settings)
        self._document: Document
        self._shown: list[str] = []
        self._remarks: list[str] = []
        self._problems: list[UsageProblem] = []
        hidden = {
            check_id(part.name, id)
            for part in session.parts
            for id, rules in part.rubric.rules.items()
            if rules.visibility != "visible"
        }
        _hide_checks(config, hidden, self._planned)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_header(self) -> Generator[None, list[str | list[str]], list[str | list[str]]]:
        """pytest tells the folder that it was started on, whose name may be a student's; and the
        file of its settings, also where there is none, as `backprop grade` says it."""
        texts = yield
        is_none = self._config.option.inifilename == os.devnull
        groups = [[text] if isinstance(text, str) else text for text in texts]
        return [
            [visible(x) for x in group if not (is_none and x.startswith("configfile: "))]
            for group in groups
        ]

    # -- gathering -------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._planned.update(dict.fromkeys(item.nodeid.rpartition("::")[0] for item in items))
        if self._is_class and self._terminal is not None:
            self._terminal.showfspath = False

    @property
    def _is_class(self) -> bool:
        """Whether there are too many submissions to tell of each why its checks failed, unasked."""
        return len(self._planned) > MANY and self._config.get_verbosity() < 1

    # -- writing ---------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        option = self._config.option
        is_empty = not self._planned
        if option.collectonly or (is_empty and exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED):
            return
        if self._is_class:  # what pytest tells of each item that failed is left out, unasked
            if option.tbstyle == "auto":
                option.tbstyle = "no"
            if self._terminal is not None and option.reportchars in ("", "fE"):
                self._terminal.reportchars = ""
        with _undisturbed():
            # of a class that is not there, nobody waits for a report
            self._write_reports(only=SINGLE if is_empty else None)
        if self._problems:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_reports(self, only: Collection[str] | None) -> None:
        session, grades = self._session, self._session.grades
        grades |= session.finished  # an interrupt came before their turn
        for path in self._planned:
            if path not in grades:
                reason = say("the run ended before it was graded")
                grade = nothing_judged(session.parts_of(path), path, "not_reached", reason)
                grades[path] = identified(grade, session.roster)
        whole = document(
            grades.values(),
            settings_document(self._settings),
            ToolInfo(NAME, version(NAME) or "", version("torch"), platform.python_version()),
            time.monotonic() - self._start,
            attendance(session.roster, grades.values(), session.classes.handed),
            left_out(session.classes),
            rooms.compare(grades.values()),
        )
        self._document = report = apply_hints(whole, self._settings.hints)
        targets = [t for t in self._settings.report if only is None or t.format in only]
        self._shown, self._remarks, self._problems = _write_reports(
            targets, session.contributions.formats, self._gradebook, report, drawings_of(grades)
        )
        if session.unsaved and session.journal is not None:
            message = say_count(
                "the journal {journal} could not take {count} grade: {reason}",
                "the journal {journal} could not take {count} grades: {reason}",
                len(session.unsaved),
                journal=_nearby(session.journal.folder),
                reason=session.unsaved[-1],
            )
            way_out = say("make room on that disk, then run again with --backprop-resume")
            self._problems.append(UsageProblem(message, way_out))

    # -- telling ---------------------------------------------------------------------------

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int
    ) -> None:
        if self._planned and not self._config.option.collectonly:
            lines = self._lines(terminalreporter._tw.fullwidth)
        elif not self._planned and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            lines = self._nothing_to_grade()
        else:
            return
        for text in self._shown:
            terminalreporter.write(text)
        terminalreporter.section("backprop")
        for text, markup in lines:
            terminalreporter.line(text, **markup)

    def _nothing_to_grade(self) -> Iterator[Line]:
        for line in attendance_lines(None, self._session.classes):
            yield line, YELLOW
        suffixes = either(self._session.contributions.suffixes)
        yield say("nothing to grade: no {suffixes} file was found", suffixes=suffixes), {}
        yield say("give the path of a notebook, or of a folder that holds submissions"), {}

    def _lines(self, width: int) -> Iterator[Line]:
        """What is told of a run at its end, with the colours."""
        session, document = self._session, self._document
        yield from (class_lines if self._is_class else summary_lines)(document, width)
        attended = attendance_lines(document.roster, session.classes)
        for line in [*attended, *lateness_lines(document.submissions)]:
            yield line, YELLOW
        for line in regrade_lines(session.regrades, width):
            yield line, {}
        if session.journal is not None:
            yield from self._journal_lines(_nearby(session.journal.folder))
        for line in self._remarks:
            yield line, YELLOW
        for target in self._settings.report:
            if target.path != TERMINAL:
                yield say("report: {path}", path=_nearby(target.path)), {}
        for problem in self._problems:
            head = say("ERROR: {problem}", problem="")
            yield head + problem.wrapped(head), {"red": True}

    def _journal_lines(self, journal: str) -> Iterator[Line]:
        entries = self._document.submissions
        if resumed := sum(entry.taken_from is not None for entry in entries):
            text = say_count(
                "{count} grade was taken from the journal {journal}",
                "{count} grades were taken from the journal {journal}",
                resumed,
                journal=journal,
            )
            yield text, {}
        if left := sum(entry.status == "not_reached" for entry in entries):
            text = say_count(
                "{count} was not graded: the same command with --backprop-resume goes on",
                "{count} were not graded: the same command with --backprop-resume goes on",
                left,
            )
            yield text, YELLOW
        yield say("journal: {journal}", journal=journal), {}


# -- reports --------------------------------------------------------------------------------------


def _write_reports(
    targets: Collection[ReportTarget],
    contributed: Mapping[str, Renderer],
    gradebook: Gradebook | None,
    report: Document,
    drawings: Mapping[str, Drawing],
) -> tuple[list[str], list[str], list[UsageProblem]]:
    """Writes each report. Gives those that the terminal shows, and what it tells of them: remarks,
    and why some could not be written. `contributed` are formats of plugins, `gradebook` is to be
    filled in."""
    shown, remarks, problems = [], [], list[UsageProblem]()
    if count := len(report.alike.pairs) + report.alike.left_out:
        pages = [_nearby(each.path / ALIKE_PAGE) for each in targets if each.format == "html"]
        remarks.append(
            say_count(
                "{count} pair is more alike than its task makes it: see {place}",
                "{count} pairs are more alike than their task makes them: see {place}",
                count,
                place=pages[0] if pages else say("what --backprop-report html:FOLDER writes"),
            )
        )
    for target in targets:
        format = target.format
        try:
            if format in FOLDERS:
                files = FOLDERS[format](report, drawings)
                if format == "html":
                    files = itertools.chain(files, rooms.alike_pages(report, drawings))
                write_folder(target.path, files)
                continue
            if gradebook is not None and PRESETS.get(format) == gradebook.kind:
                text, lines = fill(gradebook, report)
                remarks += lines
            else:
                text = (contributed.get(format) or RENDERERS[format])(report)
                if format in PRESETS:
                    remarks += [
                        say(
                            "{submission} is not in {format}: the roster tells no id and no e-mail",
                            submission=entry.path,
                            format=format,
                        )
                        for entry in with_key(report, False)
                    ]
            if target.path == TERMINAL:
                shown.append(text if text.endswith("\n") else f"{text}\n")
            else:
                write_atomically(target.path, text)
        except UsageProblem as problem:
            problems.append(problem)
    return shown, remarks, problems


def _nearby(path: Path) -> str:
    """A path as seen from here, if it is below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


# -- pytest's own JUnit XML ---------------------------------------------------------------------


def _hide_checks(
    config: pytest.Config, hidden: Collection[str], submissions: Container[str]
) -> None:
    """Keeps the items of the checks `hidden` of our `submissions` out of the XML: it has no field
    for who may see what, and services show it to students."""
    xml = config.stash.get(xml_key, None)
    if xml is None or not hidden or not config.pluginmanager.is_registered(xml):
        return
    report_all = xml.pytest_runtest_logreport

    def report_shown(report: pytest.TestReport) -> None:
        submission, _, check = report.nodeid.rpartition("::")
        if check not in hidden or submission not in submissions:
            report_all(report)

    config.pluginmanager.unregister(xml)
    xml.pytest_runtest_logreport = report_shown  # type: ignore[method-assign]
    config.pluginmanager.register(xml)


# -- interrupts ---------------------------------------------------------------------------------


def interrupt_by_sigterm(config: pytest.Config) -> None:
    """Until `config` is unconfigured, SIGTERM ends a run as Ctrl-C does, unless the process has its
    own way with it."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def give_back() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    config.add_cleanup(give_back)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """For what is done at the very end: an interrupt that comes meanwhile has no effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    # not SIG_IGN, which processes started meanwhile would inherit
    before = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
