"""`results.json` of Gradescope's autograder.

Points are the rubric's own: the assignment in Gradescope has to be worth as many. Hidden checks go
out with their visibility; Gradescope hides the total, too, as long as a test is hidden.

Gradescope knows no "not graded": a results file has a score. So what was not judged ends in a valid
file with score 0 that says in its first line that this is no grade and why, and `extra_data` has
the `status`, and whether it is a `grader_error`; `run_autograder` then exits with 3 besides, so
that a harness that looks there fails.
"""

from __future__ import annotations

from typing import Any

from ..messages import say
from ..model import Status
from .document import Document, SubmissionEntry
from .feedback import as_json, cut, feedback, number, remarks, single_report
from .text import clean

LIMIT, EACH = 1_000_000, 20_000
"""Bytes of the file, characters of the text of a test."""
NAME_LIMIT = 200


def render(document: Document) -> str:
    """The results of the one submission there is; of none, a file that says so."""

    def results(entry: SubmissionEntry, each: int) -> str:
        tests = [
            {
                "name": cut(check.id, NAME_LIMIT),
                "number": str(place),
                "score": number(max(0.0, check.score)),
                "max_score": number(check.max_score),
                "status": "passed" if check.outcome == "passed" else "failed",
                "output": cut(feedback(check, document), each),
                "output_format": "text",
                "visibility": check.visibility,
            }
            for place, check in enumerate(entry.checks, 1)
        ]
        about = {
            "grader_error": False,
            "status": entry.status,
            "variant": cut(entry.variant or "", NAME_LIMIT),
            "max_score": number(entry.max_score),
        }
        whole = _whole(entry.score, cut(remarks(entry), each), tests)
        return as_json(whole | {"execution_time": number(entry.seconds), "extra_data": about})

    return single_report(document, "gradescope", results, _ungraded, LIMIT, EACH)


def _ungraded(entry: SubmissionEntry | None, reason: str) -> str:
    if entry is None:
        return refusal(reason)
    why = failed if entry.status == "grader_error" else unjudged
    return refusal(why(entry.message), entry.status)


def failed(reason: str) -> str:
    """What a student reads who was not graded through no fault of theirs."""
    return say(
        "The grader failed, through no fault of yours: this 0 is not your grade. "
        "Tell your instructor. Reason: {reason}",
        reason=reason,
    )


def unjudged(reason: str) -> str:
    """What a student reads who was not graded before whoever grades has mended something."""
    return say(
        "This submission was not judged, and this 0 is not your grade. Tell your instructor. "
        "Reason: {reason}",
        reason=reason,
    )


def refusal(message: str, status: Status | None = None) -> str:
    """Results without a test, of a submission that could not be graded; `status` is there where its
    0 is no grade."""
    about = {"grader_error": status == "grader_error", "status": status}
    return as_json(_whole(0, clean(message, EACH), []) | {"extra_data": about})


def _whole(score: float, output: str, tests: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "score": number(max(0.0, score)),
        "output": output,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
