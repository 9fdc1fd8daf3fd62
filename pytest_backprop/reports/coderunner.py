"""What a combinator template grader of Moodle's CodeRunner prints: one JSON object.

`ishidden` keeps a row from students, so hidden checks are there for teachers. CodeRunner refuses an
unknown key, and takes an object without `fraction` for a broken grader: the answer stays ungraded.
That is what becomes of a submission that the grader could not judge.
"""

from __future__ import annotations

import html
from typing import Any

from ..messages import say
from .document import CheckEntry, Document, SubmissionEntry
from .feedback import (
    as_json,
    cut,
    feedback,
    fitting,
    is_judged,
    not_judged,
    only,
    points,
    remarks,
    share,
)

LIMIT, EACH = 200_000, 10_000
"""Bytes of the whole, characters of a cell. The sandbox cuts long output off."""


def render(document: Document) -> str:
    """The outcome of the one submission there is; of none, 0 and why."""
    entry = only(document, "coderunner")
    if entry is None:
        message = say("nothing to grade: no .py or .ipynb file was found")
        return as_json({"fraction": 0, "prologuehtml": _html(message)})
    if not is_judged(entry):
        message = not_judged(entry)
        return as_json({"prologuehtml": _html(cut(message, EACH))})
    return fitting(lambda each: as_json(_outcome(document, entry, each)), LIMIT, EACH)


def _outcome(document: Document, entry: SubmissionEntry, each: int) -> dict[str, Any]:
    heads = ["iscorrect", "ishidden", say("check"), say("points"), say("feedback")]
    return {
        "fraction": share(entry),
        "prologuehtml": _html(cut(remarks(entry), each)),
        "testresults": [heads, *(_row(document, check, each) for check in entry.checks)],
        "columnformats": ["%s", "%s", "%s"],
    }


def _row(document: Document, check: CheckEntry, each: int) -> list[Any]:
    return [
        int(check.outcome == "passed"),
        int(check.visibility != "visible"),
        cut(check.id, 200),
        points(check),
        cut(feedback(check, document), each),
    ]


def _html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>" if text else ""
