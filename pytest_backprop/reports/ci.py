"""What CI services read of a class: CTRF, the Common Test Report Format, and GitHub's annotations
of the code."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..messages import say
from ..model import NO_GRADE
from ..model.verdict import in_order
from .document import CheckEntry, Document, FindingEntry, SubmissionEntry
from .feedback import as_json, cut, feedback, is_judged, number, remarks, shown_checks, tone, where

OURS = "pytest-backprop"
TEXT_LIMIT = 10_000
"""Characters of the text of a test in CTRF."""
ANNOTATIONS_SHOWN = 10
"""GitHub shows as many of a step, of each level."""
LEVELS = {"fault": "error", "note": "warning", "neutral": "notice"}


# -- CTRF -----------------------------------------------------------------------------------------


def ctrf(document: Document) -> str:
    """A test a check, a suite a submission; without the checks that are hidden from students.

    CTRF has no scores: they are in `extra`, under our own name. Times are whole milliseconds,
    counted from the start of the run.
    """
    tests = [
        _test(document, entry, check, first=place == 0)
        for entry in document.submissions
        for place, check in enumerate(shown_checks(entry))
    ]
    times = Counter(test["status"] for test in tests)
    statuses = ("passed", "failed", "skipped", "pending", "other")
    return as_json(
        {
            "reportFormat": "CTRF",
            "specVersion": "0.0.0",
            "generatedBy": OURS,
            "results": {
                "tool": {"name": OURS, "version": document.tool.version},
                "summary": {
                    "tests": len(tests),
                    **{status: times[status] for status in statuses},
                    "start": 0,
                    "stop": _milliseconds(document.summary.seconds),
                    "suites": len(document.submissions),
                },
                "tests": tests,
                "extra": {OURS: {"submissions": [_total(entry) for entry in document.submissions]}},
            },
        }
    )


def _test(
    document: Document, entry: SubmissionEntry, check: CheckEntry, first: bool
) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": f"{entry.path}::{check.id}",
        "status": {"partial": "failed", "not_judged": "other"}.get(check.outcome, check.outcome),
        # a submission is graded as one: its time stands at its first check
        "duration": _milliseconds(entry.seconds) if first else 0,
        "suite": [entry.path],
        "rawStatus": check.outcome,
        "filePath": entry.path,
        "extra": {OURS: {"score": number(check.score), "max_score": number(check.max_score)}},
    }
    if check.outcome != "passed":
        test |= {"message": check.message, "trace": cut(feedback(check, document), TEXT_LIMIT)}
    lines = [f.line for f in in_order(check.findings) if f.line is not None and f.cell is None]
    return test | ({"line": lines[0]} if lines else {})


def _total(entry: SubmissionEntry) -> dict[str, Any]:
    """The total has the points of hidden checks, too; null is no grade, through our fault."""
    return {
        "path": entry.path,
        "variant": entry.variant,
        "status": entry.status,
        "score": number(entry.score) if is_judged(entry) else None,
        "max_score": number(entry.max_score),
        "remarks": cut(remarks(entry), TEXT_LIMIT),
    }


def _milliseconds(seconds: float) -> int:
    return round(min(seconds, 1e9) * 1000)


# -- annotations of GitHub ------------------------------------------------------------------------


def github_annotations(document: Document) -> str:
    """Commands that GitHub's runner turns into annotations when a step prints them: an error for
    each fault, a warning for each note, at the student's own lines; a notice where a wrong number
    is stored. A line in a notebook is a line in a cell, which GitHub does not know: there the text
    says it."""
    lines: dict[str, list[str]] = {"error": [], "warning": [], "notice": []}
    for entry in document.submissions:
        graded, has_findings = entry.status == "graded", False
        for check in shown_checks(entry):
            has_findings |= bool(check.findings)
            # of a submission that did not run, each check has the one reason, told once
            if graded and check.outcome != "passed" and not check.findings:
                level = "warning" if check.outcome == "not_judged" else "error"
                lines[level].append(_command(level, entry.path, None, check.id, check.message))
            for finding in in_order(check.findings):
                level = LEVELS[tone(finding, check.findings)]
                path = finding.path or entry.path
                line = finding.line if finding.cell is None else None
                lines[level].append(_command(level, path, line, check.id, _message(finding)))
        if not graded and not has_findings:
            level = "warning" if entry.status in NO_GRADE else "error"
            lines[level].append(_command(level, entry.path, None, entry.status, entry.message))
    return "".join(
        line + "\n" for level in lines.values() for line in dict.fromkeys(level[:ANNOTATIONS_SHOWN])
    )


def _message(finding: FindingEntry) -> str:
    place = f"{where(finding)}: " if finding.cell is not None and finding.line is not None else ""
    hint = "\n" + say("hint: {hint}", hint=finding.hint) if finding.hint else ""
    return f"{place}{finding.message}{hint}"


def _command(level: str, path: str, line: int | None, title: str, message: str) -> str:
    properties = {"file": path, "line": line, "title": f"backprop: {title}"}
    pairs = ",".join(f"{k}={_property(cut(str(v), 300))}" for k, v in properties.items() if v)
    return f"::{level} {pairs}::{_data(cut(message, 1_000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
