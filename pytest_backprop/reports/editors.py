"""What is told at places of submissions, one thing once: lines as compilers print errors, for
editors, and GitHub's annotations of the code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..messages import say
from ..model import NO_GRADE
from ..model.verdict import OTHER_LINE, in_order, status_of
from .document import Document, FindingEntry
from .feedback import Tone, shown_checks, tone, where
from .text import cut, one_line

LEVELS = {"fault": "error", "note": "warning", "neutral": "note"}


class Mark(NamedTuple):
    """One thing to tell. `rule` is the check that it is of, or the status of a submission that did
    not run."""

    tone: Tone
    rule: str
    path: str
    message: str
    finding: FindingEntry | None = None

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
    """Those of all submissions, as students may see them. What nobody judged is no fault; another
    line that may be meant, beside the one told before it, is neither."""
    for entry in document.submissions:
        has_findings = False
        for check in shown_checks(entry):
            has_findings |= bool(check.findings)
            # of what did not run, each check has the one reason, told once
            is_graded = status_of(entry, check.id) == "graded"
            if is_graded and check.outcome != "passed" and not check.findings:
                how: Tone = "note" if check.outcome == "not_judged" else "fault"
                yield Mark(how, check.id, entry.path, check.message)
            for finding in in_order(check.findings):
                is_another = finding.kind == OTHER_LINE
                how = "neutral" if is_another else tone(finding, check.findings)
                path = finding.path or entry.path
                yield Mark(how, check.id, path, finding.message, finding)
        if entry.status != "graded" and not has_findings:
            how = "note" if entry.status in NO_GRADE else "fault"
            yield Mark(how, entry.status, entry.path, entry.message)


# -- lines ----------------------------------------------------------------------------------------


def lines(document: Document) -> str:
    """`file:line:column: error: message`, each in a line, as editors find them in the output of
    compilers; a hint is a `note` at the same place. What has no line is at the first."""
    texts = dict.fromkeys(text for mark in marks_of(document) for text in _lines_of(mark))
    return "".join(f"{text}\n" for text in texts)


def _lines_of(mark: Mark) -> list[str]:
    place = f"{one_line(mark.path)}:{mark.row or 1}:{mark.column or 1}"
    texts = [f"{place}: {LEVELS[mark.tone]}: {one_line(mark.text)} [{mark.rule}]"]
    if mark.hint:
        texts.append(f"{place}: note: {one_line(mark.hint)}")
    return texts


# -- GitHub ---------------------------------------------------------------------------------------

SHOWN = 10
"""GitHub shows as many of a step, of each level."""
ANNOTATIONS = {"fault": "error", "note": "warning", "neutral": "notice"}


def github_annotations(document: Document) -> str:
    """Commands that GitHub's runner turns into annotations when a step prints them: an error for
    each fault, a warning for each note, at the student's own lines; a notice where a wrong number
    is stored."""
    lines: dict[str, list[str]] = {level: [] for level in ANNOTATIONS.values()}
    for mark in marks_of(document):
        lines[ANNOTATIONS[mark.tone]].append(_command(mark))
    return "".join(line + "\n" for level in lines.values() for line in dict.fromkeys(level[:SHOWN]))


def _command(mark: Mark) -> str:
    message = "\n".join(filter(None, [mark.text, mark.hint]))
    properties = {"file": mark.path, "line": mark.row, "title": f"backprop: {mark.rule}"}
    texts = {k: _data(cut(str(v), 300)) for k, v in properties.items() if v}
    pairs = (f"{k}={text.replace(':', '%3A').replace(',', '%2C')}" for k, text in texts.items())
    return f"::{ANNOTATIONS[mark.tone]} {','.join(pairs)}::{_data(cut(message, 1_000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
