"""What of a document may be handed on to a student, as plain text.

A check that the rubric hides reaches only formats that can say when it may be seen. Its points stay
in the total, which goes to the gradebook; its id, verdict and findings do not go anywhere else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec

from ..errors import UsageProblem
from ..messages import say, say_count
from ..model.verdict import ORIGINS, in_order
from .document import CheckEntry, Document, FindingEntry, SubmissionEntry
from .prominence import reproducer
from .text import CUT
from .words import place_label

FINDINGS_SHOWN = 10


def only(document: Document, format: str) -> SubmissionEntry | None:
    """The submission that a report on one student is about; None if none was found.

    Raises UsageProblem if there are several: whose the file would be is not ours to choose.
    """
    refuse_several(len(document.submissions), format)
    return next(iter(document.submissions), None)


def refuse_several(count: int, format: str) -> None:
    """Raises UsageProblem if a report on one student would have to speak of `count` submissions."""
    if count > 1:
        raise UsageProblem(
            f"--backprop-report: {format} is a report on one submission, but there are {count}",
            "give the path of one file, or ask for another format: json, html, csv, markdown, ctrf",
        )


def is_judged(entry: SubmissionEntry) -> bool:
    """Whether some points were judged. If not, it is no fault of the student's, and 0 is no grade."""
    return any(check.outcome != "not_judged" and check.max_score > 0 for check in entry.checks)


def not_judged(entry: SubmissionEntry) -> str:
    """Why a submission has no grade."""
    reason = entry.message or say("the rubric gives points for none of its checks")
    return say("not judged: {reason}", reason=reason)


def shown_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The checks for a format that cannot say when a student may see a check."""
    return [check for check in entry.checks if check.visibility == "visible"]


def hidden_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The others."""
    return [check for check in entry.checks if check.visibility != "visible"]


def to_tell(entry: SubmissionEntry) -> list[CheckEntry]:
    """Those of the shown checks of which a student is told why they earned less than they could. Where the
    whole submission has one reason, its message says it, and a check what it found beside."""
    graded = entry.status == "graded"
    return [c for c in shown_checks(entry) if (c.outcome != "passed" if graded else c.findings)]


def shown_entry(entry: SubmissionEntry) -> SubmissionEntry:
    """A submission without hidden checks, and without what names one; its total is as it was."""
    hidden = [check.id for check in hidden_checks(entry)]

    def names_one(text: str) -> bool:
        return any(id in text for id in hidden)

    return msgspec.structs.replace(
        entry,
        checks=shown_checks(entry),
        message="" if names_one(entry.message) else entry.message,
        notes=[note for note in entry.notes if not names_one(note)],
    )


def remarks(entry: SubmissionEntry) -> str:
    """The outcome of a submission and the notes on it, a line each; nothing that names a check that
    is hidden."""
    shown = shown_entry(entry)
    return "\n".join(line for line in (shown.message, *shown.notes) if line)


def feedback(check: CheckEntry, document: Document) -> str:
    """Why a check ended as it did: its message, then findings with their lines, the faulty line
    before all."""
    lines = [check.message]
    found = in_order(check.findings)
    before = ""
    for finding in found[:FINDINGS_SHOWN]:
        place = where(finding)
        lines += _finding(finding, finding.message in check.message, place == before)
        before = place
    if len(found) > FINDINGS_SHOWN:
        left = len(found) - FINDINGS_SHOWN
        lines.append("… " + say_count("and {count} more", "and {count} more", left))
    code = reproducer(check.details, found) if document.settings.hints != "none" else None
    if code is not None:
        lines += [say("to see it, run this after the class:")]
        lines += [f"    {line}" for line in code.split("\n")]
    return "\n".join(line for line in lines if line)


def where(finding: FindingEntry) -> str:
    """`cell 4, line 17`; empty if the finding has no place, or hints do not allow it."""
    if finding.line is None:
        return ""
    return place_label(finding.line, finding.cell, finding.execution_count)


def _finding(finding: FindingEntry, told: bool, again: bool) -> list[str]:
    """`told`: its message has been shown already; `again`: its place has."""
    lines = []
    place = where(finding)
    if place and not again:
        lines.append(f"{place}: {(finding.source or '').strip()}".rstrip(" :"))
    if not told:
        note = finding.level == "note" and finding.kind not in ORIGINS
        message = say("note: {message}", message=finding.message) if note else finding.message
        lines.append(f"  {message}" if place else message)
    if finding.hint:
        lines.append("  " + say("hint: {hint}", hint=finding.hint))
    return lines


# -- numbers, and texts that fit ------------------------------------------------------------------


def number(value: float) -> float | int:
    """A score as JSON shows it best: 20, not 20.0. Never NaN or infinite: it would not be a grade."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no score")
    return int(value) if value == int(value) else value


def decimal(value: float) -> str:
    """The same as text, at most six decimals and no exponent."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def share(entry: SubmissionEntry) -> float:
    """What was earned of the whole, in [0, 1]: extra credit cannot go beyond."""
    return min(1.0, max(0.0, entry.score / entry.max_score)) if entry.max_score > 0 else 0.0


def points(check: CheckEntry) -> str:
    """`20 / 40`, or `– / 40` where it was not judged: a zero would read as the student's."""
    score = "–" if check.outcome == "not_judged" else decimal(check.score)
    return f"{score} / {decimal(check.max_score)}"


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, with a mark if some are gone; empty for 0."""
    if len(text) <= limit:
        return text
    return text[: limit - len(CUT)] + CUT if limit > len(CUT) else ""


def fitting(make: Callable[[int], str], total: int, each: int) -> str:
    """The report that `make` gives for the largest limit on each text, `each` or less, with which
    the whole has at most `total` bytes. Only texts are cut: the structure stays whole."""
    while True:
        made = make(each)
        if each == 0 or len(made.encode()) <= total:
            return made
        each //= 2


def as_json(value: Any) -> str:
    """JSON without NaN, ending in a line break."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
