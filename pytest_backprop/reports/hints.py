"""How much of what was found a report shows."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..model.verdict import LINES
from .document import Document, FindingEntry


def apply_hints(document: Document, level: Literal["none", "line"]) -> Document:
    """The report with as much of its findings as `level` shows.

    `none`: no place in the file, source, name or hint, and no faulty lines; `line`: all. `details` stay: they
    are the instructor's, with every line that may be the faulty one, and nothing made for students may show them.
    """

    def shown(findings: list[FindingEntry]) -> list[FindingEntry]:
        kept = [finding for finding in findings if finding.kind not in LINES]
        hidden = dict.fromkeys(
            ("cell", "execution_count", "line", "column", "source", "name", "hint")
        )
        return [msgspec.structs.replace(finding, **hidden) for finding in kept]

    if level == "line":
        return document
    entries = [
        msgspec.structs.replace(
            submission,
            checks=[
                msgspec.structs.replace(check, findings=shown(check.findings))
                for check in submission.checks
            ],
        )
        for submission in document.submissions
    ]
    return msgspec.structs.replace(document, submissions=entries)
