"""What is told at places of submissions, one thing once: lines as compilers print errors, for
editors; SARIF, for code scanning; and GitHub's annotations of the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from ..messages import phrase, say
from ..model import NO_GRADE
from ..model.verdict import OTHER_LINE, bare, in_order, status_of
from .document import Document, FindingEntry, as_json
from .feedback import Tone, shown_checks, tone, where
from .text import WORDS, cut, one_line

LEVELS = {"fault": "error", "note": "warning", "neutral": "note"}
SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ABOUT = {
    "forward": phrase("`forward` returns the value of the task"),
    "manual-forward": phrase("the pass calculates the value of the task itself"),
    "gradient": phrase("each gradient equals autograd's"),
    "threshold": phrase("large tensors are in files and nowhere else, small ones in none"),
    "needs-input-grad": phrase("nothing is computed for an input that needs no gradient"),
    "none": phrase("what the result does not depend on gets None"),
    "parameters": phrase("after each step the parameters are those of the joined batches"),
    "zeroing": phrase("gradients are cleared between groups of batches, and only there"),
    "scaling": phrase("each loss counts as the joined batches have it"),
    "unused-nodes": phrase("every operation of the pass changes the value or a gradient"),
    "release": phrase("nothing is kept after its last use"),
    "saved": phrase("what backward needs is saved for it, and nothing else is"),
    "files": phrase("no two saves write to one file"),
    "double-backward": phrase("the derivatives of the gradients equal autograd's"),
    "second-order": phrase("gradients of gradients equal torch's"),
    "integrity": phrase("the work is done by hand, as the task asks"),
    "onnx": phrase("`forward` exports to ONNX as the same function"),
}
"""What each check asks for."""


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


# -- SARIF ----------------------------------------------------------------------------------------


def sarif(document: Document) -> str:
    """SARIF 2.1.0. A rule is a check, or a status of what did not run. What was not judged is a
    notification of the run. Another line that may be meant is related to the result."""
    marks = list(dict.fromkeys(marks_of(document)))
    rules = list(dict.fromkeys(mark.rule for mark in marks if mark.judged))
    failed = any(entry.status in ("grader_error", "not_reached") for entry in document.submissions)
    results: list[dict[str, Any]] = []
    for mark in (mark for mark in marks if mark.judged):
        if mark.is_another and results and results[-1]["ruleId"] == mark.rule:
            place = _location(mark) | {"message": {"text": mark.text}}
            results[-1].setdefault("relatedLocations", []).append(place)
        else:
            results.append(_result(mark, rules.index(mark.rule)))
    run = {
        "tool": {
            "driver": {
                "name": document.tool.name,
                "version": document.tool.version,
                "language": document.settings.lang,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failed,
                "toolExecutionNotifications": [_notification(m) for m in marks if not m.judged],
            }
        ],
        "results": results,
    }
    return as_json({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(id: str) -> dict[str, Any]:
    words = (*ABOUT.items(), *WORDS.items())
    text = next((say(text) for key, text in words if key == bare(id)), id)
    return {"id": id, "shortDescription": {"text": text}, "help": {"text": text}}


def _result(mark: Mark, rule: int) -> dict[str, Any]:
    return {
        "ruleId": mark.rule,
        "ruleIndex": rule,
        "level": LEVELS[mark.tone],
        "message": {"text": "\n".join(filter(None, [mark.text, mark.hint]))},
        "locations": [_location(mark)],
        "properties": {} if mark.finding is None else {"kind": mark.finding.kind},
    }


def _notification(mark: Mark) -> dict[str, Any]:
    level = "error" if mark.rule in NO_GRADE else "warning"
    text = f"{mark.rule}: {mark.text}"
    return {"level": level, "message": {"text": text}, "locations": [_location(mark)]}


def _location(mark: Mark) -> dict[str, Any]:
    path = Path(mark.path)
    uri = path.as_uri() if path.is_absolute() else quote(mark.path)
    region = {"startLine": mark.row or 1}
    if mark.column is not None:
        region["startColumn"] = mark.column
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


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
