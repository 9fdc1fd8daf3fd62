"""What of a document may be handed on to a student, as plain text, and in a report on one
submission.

A check that the rubric hides reaches only formats that can say when it may be seen. Its points stay
in the total, which goes to the gradebook; its id, verdict and findings do not go anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

import msgspec

from ..messages import phrase, place_label, say, say_count
from ..model.verdict import LEADS, NUMBERS, ORIGINS, OTHER_TASK, bare, in_order, status_of
from .document import CheckEntry, Document, FindingEntry, SubmissionEntry
from .text import decimal

FINDINGS_SHOWN = 10
CODE = 4
"""Columns by which code is indented."""
Tone = Literal["fault", "note", "neutral"]
Hints = Literal["none", "line"]


# -- which checks ---------------------------------------------------------------------------------


def is_judged(entry: SubmissionEntry) -> bool:
    """Whether some points were judged. If not, it is no fault of the student's, and 0 is no
    grade."""
    return any(check.outcome != "not_judged" and check.max_score > 0 for check in entry.checks)


def unjudged_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The checks whose points were not judged."""
    return [c for c in entry.checks if c.outcome == "not_judged" and c.max_score > 0]


def is_right(entry: SubmissionEntry) -> bool:
    """Whether all of it was judged, and no check failed."""
    outcomes = {check.outcome for check in entry.checks}
    return entry.status == "graded" and outcomes == {"passed"}


def shown_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The checks for a format that cannot say when a student may see a check."""
    return [check for check in entry.checks if check.visibility == "visible"]


def hidden_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The others."""
    return [check for check in entry.checks if check.visibility != "visible"]


def explained_checks(entry: SubmissionEntry) -> list[CheckEntry]:
    """The shown checks of which a student is told why they earned less than they could. Where the
    whole submission, or a part, has one reason, it is told once, with what else was found."""
    return [
        check
        for check in shown_checks(entry)
        if (check.outcome != "passed" if status_of(entry, check.id) == "graded" else check.findings)
    ]


def shown_entry(entry: SubmissionEntry) -> SubmissionEntry:
    """A submission without hidden checks, and without what names one; its total is as it was."""
    hidden = [bare(check.id) for check in hidden_checks(entry)]

    def names_one(text: str) -> bool:
        return any(id in text for id in hidden)

    return msgspec.structs.replace(
        entry,
        checks=shown_checks(entry),
        message="" if names_one(entry.message) else entry.message,
        notes=[note for note in entry.notes if not names_one(note)],
        parts=[
            msgspec.structs.replace(part, message="") if names_one(part.message) else part
            for part in entry.parts
        ],
    )


def remarks(entry: SubmissionEntry) -> str:
    """The outcome of a submission and the notes on it, a line each; nothing that names a check that
    is hidden."""
    shown = shown_entry(entry)
    return "\n".join(line for line in (shown.message, *shown.notes) if line)


# -- a class --------------------------------------------------------------------------------------


def totals(document: Document) -> str:
    """A class in one line."""
    summary, entries = document.summary, document.submissions
    parts = [say("graded {graded} of {total}", graded=summary.graded, total=summary.submissions)]
    if summary.mean is not None and summary.median is not None:
        parts.append(say("mean {score}", score=decimal(summary.mean, 2)))
        parts.append(say("median {score}", score=decimal(summary.median, 2)))
    unreached = sum(entry.status == "not_reached" for entry in entries)
    others = {
        phrase("not judged: {number}"): summary.submissions - summary.graded - unreached,
        phrase("not reached: {number}"): unreached,
        phrase("judged in part: {number}"): sum(
            is_judged(entry) and bool(unjudged_checks(entry)) for entry in entries
        ),
    }
    return ", ".join([*parts, *(say(text, number=n) for text, n in others.items() if n)])


class SharedFault(NamedTuple):
    """A kind of finding, with the submissions that have it, as positions in the document.

    `check` is None for what is wrong with a submission as a whole, and a part's name for what is
    wrong with that."""

    check: str | None
    kind: str
    submissions: list[int]


def shared_faults(document: Document) -> list[SharedFault]:
    """Kinds of faults, the commonest first. A submission counts once for each."""
    having: dict[tuple[str | None, str], dict[int, None]] = {}
    for number, entry in enumerate(document.submissions):
        for check in entry.checks:
            for finding in check.findings:
                if finding.level == "fault":
                    # what stopped a submission, or a part, stands in every check of it
                    where = check.id
                    if status_of(entry, check.id) != "graded":
                        where = check.part if entry.status == "graded" else ""
                    having.setdefault((where or None, finding.kind), {})[number] = None
    faults = [SharedFault(check, kind, [*numbers]) for (check, kind), numbers in having.items()]
    return sorted(faults, key=lambda fault: (-len(fault[2]), fault.check or "", fault.kind))


# -- which findings, and how they are marked ------------------------------------------------------


def tone(finding: FindingEntry, findings: Sequence[FindingEntry]) -> Tone:
    """How a finding is marked among all those of its check. The line where a number goes wrong is
    the fault; the line where that number is merely stored is innocent."""
    if finding.kind in LEADS:
        return "fault"
    if finding.kind in NUMBERS and any(other.kind in LEADS for other in findings):
        return "neutral"
    return finding.level


def first_fault(checks: Iterable[CheckEntry]) -> tuple[CheckEntry, FindingEntry | None] | None:
    """What to fix first, as it explains most of the lost points: a check, and its finding, if it
    has one that is a fault. None if no check that was judged lost points."""
    faulty = [check for check in checks if check.outcome in ("failed", "partial")]
    if not faulty:
        return None
    # a breach explains the zeroes before it; where a part did not run, its first check says why
    part = [check for check in faulty if check.part == faulty[0].part and check.findings]
    check = next((check for check in part if bare(check.id) == "integrity"), faulty[0])
    findings = in_order(check.findings)
    return check, next((f for f in findings if tone(f, findings) == "fault"), None)


def reproducer(check: CheckEntry) -> str | None:
    """The first piece of code that shows a fault, in a check's details or in those of one of its
    parts. Of a method that is right for another task the numbers show nothing."""
    if any(finding.kind == OTHER_TASK for finding in check.findings):
        return None
    parts = (check.details, *(v for v in check.details.values() if isinstance(v, dict)))
    return next((c for part in parts if isinstance(c := part.get("reproducer"), str)), None)


def more(count: int) -> str:
    """That a list goes on."""
    return say_count("and {count} more", "and {count} more", count)


def where(finding: FindingEntry) -> str:
    """`cell 4, line 17`; empty if the finding has no place, or hints do not allow it."""
    if finding.line is None:
        return ""
    return place_label(finding.line, finding.cell, finding.execution_count, finding.file)


def explanation(check: CheckEntry, hints: Hints) -> Iterator[tuple[int, str, FindingEntry | None]]:
    """Why a check ended as it did, as (indent, text, finding) a line: its message, then the first
    findings, the faulty line before all, and code that shows the fault, CODE deep. Beside a place
    stands the finding whose line of source is to be shown there. Nothing is told twice."""
    yield 0, check.message, None
    before = ""
    findings = [*dict.fromkeys(in_order(check.findings))]  # a line of a loop has many alike
    shown = findings[:FINDINGS_SHOWN]
    for finding, after in zip_longest(shown, shown[1:]):
        place, message = where(finding), finding.message.removeprefix(f"{check.message}: ")
        if place and place != before:
            yield 0, place, finding
        before = place
        if message.replace("\n", " ") not in check.message:
            if finding.level == "note" and finding.kind not in ORIGINS:
                message = say("note: {message}", message=message)
            yield (2 if place else 0), message, None
        is_last = after is None or (after.hint, where(after)) != (finding.hint, place)
        if finding.hint and is_last:
            yield 2, say("hint: {hint}", hint=finding.hint), None
    if (left := len(findings) - FINDINGS_SHOWN) > 0:
        yield 0, f"… {more(left)}", None
    if hints != "none" and (code := reproducer(check)) is not None:
        yield 0, say("to see it, run this after the class:"), None
        yield from ((CODE, line, None) for line in code.split("\n"))


def feedback(check: CheckEntry, document: Document) -> str:
    """Why a check ended as it did, as plain text."""
    lines = []
    for indent, text, finding in explanation(check, document.settings.hints):
        if finding is not None:
            text = f"{text}: {(finding.source or '').strip()}".rstrip(" :")
        lines.append(" " * indent + text)
    return "\n".join(filter(None, lines))


# -- numbers, and texts that fit ------------------------------------------------------------------


def share(entry: SubmissionEntry) -> float:
    """What was earned of the whole, in [0, 1]: extra credit cannot go beyond."""
    return min(1.0, entry.score / entry.max_score) if entry.max_score > 0 else 0.0


def points(check: CheckEntry) -> str:
    """`20 / 40`, or `– / 40` where it was not judged: a zero would read as the student's."""
    score = "–" if check.outcome == "not_judged" else decimal(check.score)
    return f"{score} / {decimal(check.max_score)}"
