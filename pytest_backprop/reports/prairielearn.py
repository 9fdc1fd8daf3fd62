"""`results.json` of PrairieLearn's external grader.

`score` is the share of the points, in [0, 1]. What the grader could not judge is not gradable: no
attempt is used up and nothing is recorded. A file over 1 MiB would be refused whole.
"""

from __future__ import annotations

from .document import Document, SubmissionEntry
from .feedback import as_json, cut, feedback, number, remarks, share, shown_checks, single_report

LIMIT, EACH = 900_000, 20_000
"""Bytes of the file, characters of the text of a test."""
NAME_LIMIT = 200


def render(document: Document) -> str:
    """The results of the one submission there is; of none, that there is nothing to grade."""

    def results(entry: SubmissionEntry, each: int) -> str:
        tests = [
            {
                "name": cut(check.id, NAME_LIMIT),
                "description": "",
                "points": number(max(0.0, check.score)),
                "max_points": number(check.max_score),
                "message": "",
                "output": cut(feedback(check, document), each),
            }
            for check in shown_checks(entry)
        ]
        return as_json(
            {
                "gradable": True,
                "score": share(entry),
                "message": cut(remarks(entry), each),
                "output": "",
                "tests": tests,
            }
        )

    return single_report(document, "prairielearn", results, _not_gradable, LIMIT, EACH)


def _not_gradable(entry: SubmissionEntry | None, reason: str) -> str:
    return as_json(
        {
            "gradable": False,
            "score": 0,
            "format_errors": [reason],
            "message": "",
            "output": "",
            "tests": [],
        }
    )
