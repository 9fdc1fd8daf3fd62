"""What the graders of two question types of Moodle print: VPL and CodeRunner.

What the grader could not judge has no grade in either: VPL proposes none without a grade line, and
CodeRunner takes an object without `fraction` for a broken grader, so that the answer stays
ungraded.
"""

from __future__ import annotations

import html
from typing import Any

from ..messages import say
from .document import CheckEntry, Document, SubmissionEntry
from .feedback import (
    as_json,
    cut,
    decimal,
    feedback,
    points,
    remarks,
    share,
    shown_checks,
    single_report,
)

LIMIT, EACH = 200_000, 10_000
"""Bytes of the whole, characters of the text of a check. CodeRunner's sandbox cuts long output
off."""


# -- VPL ------------------------------------------------------------------------------------------


def render_vpl(document: Document) -> str:
    """What VPL reads from the standard output of `vpl_evaluate.sh`: comments, then the grade.

    VPL takes the last line that begins with `Grade :=>>`, whoever wrote it. Each line of ours
    begins with `Comment :=>>`, and in what it says `:=>>` is broken up, so no text of a submission
    can stand where a grade is looked for. The activity's maximum grade has to be the rubric's, and
    there is nothing above it.
    """

    def results(entry: SubmissionEntry, each: int) -> str:
        remark = cut(remarks(entry), each)
        parts = [_comment(remark, ">")] if remark else []
        for check in shown_checks(entry):
            parts.append(_comment(f"{cut(check.id, 200)}: {points(check)}".replace("\n", " "), "-"))
            parts.append(_comment(cut(feedback(check, document), each), ">"))
        return "".join(parts) + _grade(min(entry.score, entry.max_score))

    def ungraded(entry: SubmissionEntry | None, reason: str) -> str:
        return _comment(reason) + ("" if entry else _grade(0))

    return single_report(document, "moodle-vpl", results, ungraded, LIMIT, EACH)


def _comment(text: str, mark: str = "") -> str:
    """A line of comment for each line of `text`. VPL reads a line that begins with `-` as a title,
    and shows one that begins with `>` as it is."""
    while ":=>>" in text:
        text = text.replace(":=>>", ": =>>")
    return "".join(f"Comment :=>>{mark}{line}\n" for line in text.split("\n"))


def _grade(score: float) -> str:
    return f"Grade :=>>{decimal(max(0.0, score))}\n"


# -- CodeRunner -----------------------------------------------------------------------------------


def render_coderunner(document: Document) -> str:
    """What a combinator template grader prints: one JSON object, of which CodeRunner refuses an
    unknown key.

    `ishidden` keeps a row from students, so hidden checks are there for teachers.
    """

    def row(check: CheckEntry, each: int) -> list[Any]:
        right, hidden = check.outcome == "passed", check.visibility != "visible"
        text = cut(feedback(check, document), each)
        return [int(right), int(hidden), cut(check.id, 200), points(check), text]

    def results(entry: SubmissionEntry, each: int) -> str:
        heads = ["iscorrect", "ishidden", say("check"), say("points"), say("feedback")]
        return as_json(
            {
                "fraction": share(entry),
                "prologuehtml": _html(cut(remarks(entry), each)),
                "testresults": [heads, *(row(check, each) for check in entry.checks)],
                "columnformats": ["%s", "%s", "%s"],
            }
        )

    def ungraded(entry: SubmissionEntry | None, reason: str) -> str:
        return as_json(({} if entry else {"fraction": 0}) | {"prologuehtml": _html(reason)})

    return single_report(document, "coderunner", results, ungraded, LIMIT, EACH)


def _html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>" if text else ""
