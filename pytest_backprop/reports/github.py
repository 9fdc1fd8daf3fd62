"""For GitHub: the result that GitHub Classroom's reporter takes, and annotations of the code.

The reporter adds the scores of the tests up and posts the sum, so the points of hidden checks are
in one test that does not say what was checked. It prints what it is given, and GitHub's runner
takes each printed line that begins with `::`, and `##[` anywhere, for a command: both are broken
up. With `max_score` 0 nothing is posted; so it is with what the grader could not judge, and the job
fails.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ..messages import say
from ..model import NO_GRADE
from ..model.verdict import in_order
from .document import CheckEntry, Document, FindingEntry, SubmissionEntry
from .feedback import (
    as_json,
    cut,
    feedback,
    hidden_checks,
    number,
    remarks,
    shown_checks,
    single_report,
    tone,
    where,
)

LIMIT, EACH = 70_000, 10_000
"""Bytes of the JSON, characters of the text of a test. A step's output may have 96 KB, in
base64."""
ANNOTATIONS_SHOWN = 10
"""GitHub shows as many of a step, of each level."""
ANNOTATION_LIMIT = 1_000
LEVELS = {"fault": "error", "note": "warning", "neutral": "notice"}


def render_classroom(document: Document) -> str:
    """The JSON of which a step's output `result` is the base64 form."""

    def results(entry: SubmissionEntry, each: int) -> str:
        hidden = hidden_checks(entry)
        tests = [_test(document, entry, check, each) for check in shown_checks(entry)]
        if hidden:
            score = math.fsum(check.score for check in hidden)
            most = math.fsum(check.max_score for check in hidden)
            status = "pass" if score >= most else "fail"
            tests.append(_case(say("checks that are not shown"), status, score))
        notes = cut(remarks(entry), each)
        if tests and notes:
            tests[0]["output"] = cut(inert(f"{tests[0]['output']}\n{notes}".strip()), each)
        full = all(test["status"] == "pass" for test in tests)
        return as_json(
            {
                "version": 1,
                "status": "pass" if full else "fail",
                "max_score": number(entry.max_score),
                "tests": tests or [_case("submission", "pass", 0)],
            }
        )

    def ungraded(entry: SubmissionEntry | None, reason: str) -> str:
        """A result that posts no points."""
        status = "fail" if entry is None else "error"
        test = _case("submission", status, 0, inert(reason))
        return as_json({"version": 1, "status": status, "max_score": 0, "tests": [test]})

    return single_report(document, "github-classroom", results, ungraded, LIMIT, EACH)


def _test(
    document: Document, entry: SubmissionEntry, check: CheckEntry, each: int
) -> dict[str, Any]:
    status = {"passed": "pass", "not_judged": "error"}.get(check.outcome, "fail")
    message = inert(cut(check.message, min(each, ANNOTATION_LIMIT)))
    output = inert(cut(feedback(check, document), each))
    name, path = cut(inert(check.id), 100), cut(inert(entry.path), 300)
    return _case(name, status, check.score, message, output, entry.seconds, path)


def _case(
    name: str,
    status: str,
    score: float,
    message: str = "",
    output: str = "",
    duration: float = 0,
    path: str = "",
) -> dict[str, Any]:
    return {
        "name": name,
        "status": status,
        "score": number(max(0.0, score)),
        "line_no": 0,
        "message": message,
        "test_code": "",
        "filename": path,
        "duration": number(duration),
        "output": output,
    }


def inert(text: str) -> str:
    """`text` without what GitHub's runner would take for a command."""
    return re.sub("(?m)^([^\\S\\n]*)::", r"\1: :", text).replace("##[", "## [")


# -- annotations ----------------------------------------------------------------------------------


def render_annotations(document: Document) -> str:
    """Commands that GitHub's runner turns into annotations when a step prints them: an error for
    each fault, a warning for each note, at the student's own lines; a notice where a wrong number
    is stored. A line in a notebook is a line in a cell, which GitHub does not know: there the text
    says it."""
    lines: dict[str, list[str]] = {"error": [], "warning": [], "notice": []}
    for entry in document.submissions:
        for check in shown_checks(entry):
            level = "warning" if check.outcome == "not_judged" else "error"
            # of a submission that did not run, each check has the one reason, told once
            own = entry.status == "graded" and check.outcome != "passed"
            if own and not check.findings:
                lines[level].append(_command(level, entry.path, None, check.id, check.message))
            for finding in in_order(check.findings):
                level = LEVELS[tone(finding, check.findings)]
                path = finding.path or entry.path
                line = finding.line if finding.cell is None else None
                lines[level].append(_command(level, path, line, check.id, _message(finding)))
        if entry.status != "graded" and not any(check.findings for check in shown_checks(entry)):
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
    return f"::{level} {pairs}::{_data(cut(message, ANNOTATION_LIMIT))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
