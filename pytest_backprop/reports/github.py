"""GitHub's annotations of the code."""

from __future__ import annotations

from ..messages import say
from ..model import NO_GRADE
from ..model.verdict import in_order, status_of
from .document import Document, FindingEntry
from .feedback import shown_checks, tone, where
from .text import cut

ANNOTATIONS_SHOWN = 10
"""GitHub shows as many of a step, of each level."""
LEVELS = {"fault": "error", "note": "warning", "neutral": "notice"}


def render(document: Document) -> str:
    """Commands that GitHub's runner turns into annotations when a step prints them: an error for
    each fault, a warning for each note, at the student's own lines; a notice where a wrong number
    is stored. GitHub does not know the cells of a notebook: there it is a line of the file, and the
    text says which of the cell."""
    lines: dict[str, list[str]] = {"error": [], "warning": [], "notice": []}
    for entry in document.submissions:
        has_findings = False
        for check in shown_checks(entry):
            has_findings |= bool(check.findings)
            # of what did not run, each check has the one reason, told once
            if (
                status_of(entry, check.id) == "graded"
                and check.outcome != "passed"
                and not check.findings
            ):
                level = "warning" if check.outcome == "not_judged" else "error"
                lines[level].append(_command(level, entry.path, None, check.id, check.message))
            for finding in in_order(check.findings):
                level = LEVELS[tone(finding, check.findings)]
                path = finding.path or entry.path
                line = finding.line if finding.cell is None else finding.row
                lines[level].append(_command(level, path, line, check.id, _message(finding)))
        if entry.status != "graded" and not has_findings:
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
    texts = {k: _data(cut(str(v), 300)) for k, v in properties.items() if v}
    pairs = (f"{k}={text.replace(':', '%3A').replace(',', '%2C')}" for k, text in texts.items())
    return f"::{level} {','.join(pairs)}::{_data(cut(message, 1_000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
