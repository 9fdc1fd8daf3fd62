"""What Moodle's VPL reads from the standard output of `vpl_evaluate.sh`: comments, then the grade.

VPL takes the last line that begins with `Grade :=>>`, whoever wrote it. Each line of ours begins with
`Comment :=>>`, and in what it says `:=>>` is broken up, so no text of a submission can stand where a
grade is looked for. What the grader could not judge has no grade line: VPL then proposes none. The
activity's maximum grade has to be the rubric's, and there is nothing above it.
"""

from __future__ import annotations

from ..messages import say
from .document import Document, SubmissionEntry
from .feedback import (
    cut,
    decimal,
    feedback,
    fitting,
    is_judged,
    not_judged,
    only,
    points,
    remarks,
    shown_checks,
)

LIMIT, EACH = 200_000, 10_000
"""Bytes of the whole, characters of the text of a check."""


def render(document: Document) -> str:
    """Comments and grade of the one submission there is; of none, 0 and why."""
    entry = only(document, "moodle-vpl")
    if entry is None:
        return _comment(say("nothing to grade: no .py or .ipynb file was found")) + _grade(0)
    if not is_judged(entry):
        return _comment(cut(not_judged(entry), EACH))
    return fitting(lambda each: _evaluation(document, entry, each), LIMIT, EACH)


def _evaluation(document: Document, entry: SubmissionEntry, each: int) -> str:
    told = cut(remarks(entry), each)
    parts = [_comment(told, ">")] if told else []
    for check in shown_checks(entry):
        parts.append(_comment(f"{cut(check.id, 200)}: {points(check)}".replace("\n", " "), "-"))
        parts.append(_comment(cut(feedback(check, document), each), ">"))
    return "".join(parts) + _grade(min(entry.score, entry.max_score))


def _comment(text: str, mark: str = "") -> str:
    """A line of comment for each line of `text`. VPL reads a line that begins with `-` as a title,
    and shows one that begins with `>` as it is."""
    while ":=>>" in text:
        text = text.replace(":=>>", ": =>>")
    return "".join(f"Comment :=>>{mark}{line}\n" for line in text.split("\n"))


def _grade(score: float) -> str:
    return f"Grade :=>>{decimal(max(0.0, score))}\n"
