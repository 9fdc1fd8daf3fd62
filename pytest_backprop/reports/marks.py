"""What is told at places of submissions: for GitHub's annotations, editors and code scanning. One
thing is told once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..messages import say
from ..model import NO_GRADE
from ..model.verdict import OTHER_LINE, in_order, status_of
from .document import Document, FindingEntry
from .feedback import Tone, shown_checks, tone, where


class Mark(NamedTuple):
    """One thing to tell. `rule` is the check that it is of, or the status of a submission that did
    not run. `judged` is False for what nobody judged, which is no fault."""

    tone: Tone
    rule: str
    path: str
    message: str
    finding: FindingEntry | None = None
    judged: bool = True

    @property
    def is_another(self) -> bool:
        """Whether it is another line that may be meant, beside the one told before it."""
        return self.finding is not None and self.finding.kind == OTHER_LINE

    @property
    def row(self) -> int | None:
        """The line of the file, also of a notebook's."""
        if (finding := self.finding) is None:
            return None
        return finding.line if finding.cell is None else finding.row

    @property
    def column(self) -> int | None:
        """The column there; in the file of a notebook nobody knows it."""
        finding = self.finding
        return None if finding is None or finding.cell is not None else finding.column

    @property
    def text(self) -> str:
        """The message, with the place in the cell, which a line of a notebook's file does not
        tell."""
        finding = self.finding
        if finding is None or finding.cell is None or finding.line is None:
            return self.message
        return f"{where(finding)}: {self.message}"

    @property
    def hint(self) -> str:
        """What to do; empty where nothing says it."""
        hint = self.finding and self.finding.hint
        return say("hint: {hint}", hint=hint) if hint else ""


def marks_of(document: Document) -> Iterator[Mark]:
    """Those of all submissions, as students may see them."""
    for entry in document.submissions:
        has_findings = False
        for check in shown_checks(entry):
            has_findings |= bool(check.findings)
            # of what did not run, each check has the one reason, told once
            is_graded = status_of(entry, check.id) == "graded"
            if is_graded and check.outcome != "passed" and not check.findings:
                judged = check.outcome != "not_judged"
                how: Tone = "fault" if judged else "note"
                yield Mark(how, check.id, entry.path, check.message, judged=judged)
            for finding in in_order(check.findings):
                how, path = tone(finding, check.findings), finding.path or entry.path
                mark = Mark(how, check.id, path, finding.message, finding)
                yield mark._replace(tone="neutral") if mark.is_another else mark
        if entry.status != "graded" and not has_findings:
            judged = entry.status not in NO_GRADE
            how = "fault" if judged else "note"
            yield Mark(how, entry.status, entry.path, entry.message, judged=judged)
