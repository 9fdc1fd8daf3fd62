"""`results.json` of PrairieLearn's external grader.

`score` is the share of the points, in [0, 1]. What the grader could not judge is not gradable: no
attempt is used up and nothing is recorded. A file over 1 MiB would be refused whole.
"""

from __future__ import annotations

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
    number,
    only,
    remarks,
    share,
    shown_checks,
)

LIMIT, EACH = 900_000, 20_000
"""Bytes of the file, characters of the text of a test."""
NAME_LIMIT = 200


def render(document: Document) -> str:
    """The results of the one submission there is; of none, that there is nothing to grade."""
    entry = only(document, "prairielearn")
    if entry is None:
        return _not_gradable(say("nothing to grade: no .py or .ipynb file was found"))
    if not is_judged(entry):
        return _not_gradable(not_judged(entry))
    return fitting(lambda each: as_json(_results(document, entry, each)), LIMIT, EACH)


def _not_gradable(message: str) -> str:
    message = cut(message, EACH)
    return as_json(
        {
            "gradable": False,
            "score": 0,
            "format_errors": [message],
            "message": "",
            "output": "",
            "tests": [],
        }
    )


def _results(document: Document, entry: SubmissionEntry, each: int) -> dict[str, Any]:
    return {
        "gradable": True,
        "score": share(entry),
        "message": cut(remarks(entry), each),
        "output": "",
        "tests": [_test(document, check, each) for check in shown_checks(entry)],
    }


def _test(document: Document, check: CheckEntry, each: int) -> dict[str, Any]:
    return {
        "name": cut(check.id, NAME_LIMIT),
        "description": "",
        "points": number(max(0.0, check.score)),
        "max_points": number(check.max_score),
        "message": "",
        "output": cut(feedback(check, document), each),
    }
