"""CTRF, the Common Test Report Format: a test a check, a suite a submission.

CTRF has no scores: they are in `extra`, under our own name. Times are whole milliseconds, counted
from the start of the run.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..model import Outcome
from ..model.verdict import in_order
from .document import CheckEntry, Document, SubmissionEntry
from .feedback import as_json, cut, feedback, is_judged, number, remarks, shown_checks

OURS = "pytest-backprop"
EACH = 10_000
"""Characters of the text of a test."""
STATUSES: dict[Outcome, str] = {
    "passed": "passed",
    "partial": "failed",
    "failed": "failed",
    "not_judged": "other",
}


def render(document: Document) -> str:
    """All submissions, without the checks that are hidden from students."""
    tests = [
        _test(document, entry, check, first=place == 0)
        for entry in document.submissions
        for place, check in enumerate(shown_checks(entry))
    ]
    times = Counter(test["status"] for test in tests)
    summary = {
        status: times[status] for status in ("passed", "failed", "skipped", "pending", "other")
    }
    milliseconds = _milliseconds(document.summary.seconds)
    report = {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "generatedBy": OURS,
        "results": {
            "tool": {"name": OURS, "version": document.tool.version},
            "summary": {"tests": len(tests), **summary, "start": 0, "stop": milliseconds}
            | {"suites": len(document.submissions)},
            "tests": tests,
            "extra": {OURS: {"submissions": [_total(entry) for entry in document.submissions]}},
        },
    }
    return as_json(report)


def _test(
    document: Document, entry: SubmissionEntry, check: CheckEntry, first: bool
) -> dict[str, Any]:
    scores = {"score": number(check.score), "max_score": number(check.max_score)}
    test: dict[str, Any] = {
        "name": f"{entry.path}::{check.id}",
        "status": STATUSES[check.outcome],
        # a submission is graded as one: its time stands at its first check
        "duration": _milliseconds(entry.seconds) if first else 0,
        "suite": [entry.path],
        "rawStatus": check.outcome,
        "filePath": entry.path,
        "extra": {OURS: scores},
    }
    if check.outcome != "passed":
        test |= {"message": check.message, "trace": cut(feedback(check, document), EACH)}
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
        "remarks": cut(remarks(entry), EACH),
    }


def _milliseconds(seconds: float) -> int:
    return round(min(seconds, 1e9) * 1000)
