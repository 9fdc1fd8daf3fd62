"""Writes the reports of a run to their end, whatever interrupts it; and keeps hidden
checks out of pytest's own JUnit XML."""

from __future__ import annotations

import contextlib
import itertools
import signal
import threading
from collections.abc import Collection, Container, Iterator, Mapping
from pathlib import Path

import pytest
from _pytest.junitxml import xml_key  # as pytest's own `record_testsuite_property` does

from .. import rooms
from ..errors import UsageProblem
from ..extension import Renderer
from ..messages import say, say_count
from ..model.drawing import Drawing
from ..options import ReportTarget
from ..reports import ALIKE_PAGE, FOLDERS, RENDERERS
from ..reports.csv_report import with_key
from ..reports.document import Document
from ..reports.gradebook import PRESETS, Gradebook, fill
from ..reports.writing import write_atomically, write_folder


def write_reports(
    targets: Collection[ReportTarget],
    contributed: Mapping[str, Renderer],
    gradebook: Gradebook | None,
    report: Document,
    drawings: Mapping[str, Drawing],
) -> tuple[list[str], list[str]]:
    """Writes each report. Gives what the terminal tells of them: remarks, and why some could not
    be written. `contributed` are formats of plugins, `gradebook` is to be filled in."""
    remarks, problems = [], []
    if count := len(report.alike.pairs) + report.alike.left_out:
        pages = [nearby(each.path / ALIKE_PAGE) for each in targets if each.format == "html"]
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
            write_atomically(target.path, text)
        except UsageProblem as problem:
            problems.append(str(problem))
    return remarks, problems


def nearby(path: Path) -> str:
    """A path as seen from here, if it is below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


# -- pytest's own JUnit XML ---------------------------------------------------------------------


def hide_checks(
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
def undisturbed() -> Iterator[None]:
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
