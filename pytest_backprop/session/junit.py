"""What pytest's own `--junitxml` gets from us: totals of the class, and no check that is hidden.

Totals are properties of the test suite: those of a test case are invalid in the schema that pytest
holds its own reports to.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Container

import pytest
from _pytest.junitxml import xml_key  # as pytest's own `record_testsuite_property` does

from ..reports.document import Document
from ..reports.feedback import decimal, is_judged

PREFIX = "backprop."


def hide_checks(
    config: pytest.Config, hidden: Collection[str], submissions: Container[str]
) -> None:
    """Keeps the items of the checks `hidden` of our `submissions` out of the XML: it has no field for
    who may see what, and services show it to students."""
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


def add_totals(config: pytest.Config, document: Document) -> None:
    """Adds the figures of the class to the test suite, points of hidden checks included."""
    xml = config.stash.get(xml_key, None)
    if xml is None:
        return
    judged = [entry for entry in document.submissions if is_judged(entry)]
    summary = document.summary
    figures = {
        "submissions": str(summary.submissions),
        "graded": str(summary.graded),
        "score": decimal(math.fsum(entry.score for entry in judged)),
        "max_score": decimal(math.fsum(entry.max_score for entry in judged)),
        "mean": "" if summary.mean is None else decimal(summary.mean),
        "median": "" if summary.median is None else decimal(summary.median),
    }
    for name, value in figures.items():
        xml.add_global_property(f"{PREFIX}{name}", value)
