"""Which line of the student's a value comes of, where a class of theirs stands in between: with
operators of their own, the line that uses `*` says more than that of `__mul__`, through which
all products go."""

from __future__ import annotations

from ..model import Op, Recording, Span, Submission
from ..submission.parse import definitions


def calling_site(
    submission: Submission | None, class_name: str, recording: Recording, op: Op
) -> Span | None:
    """The last statement before the class is entered; the op's own expression where nothing of
    the student's calls the class."""
    classes = definitions(submission, class_name)
    before: Span | None = None
    for span in recording.statements[op.statement].spans:
        if span is None:
            continue
        if any(_holds(each, span) for each in classes):
            return before or op.site
        before = span
    return op.site


def _holds(outer: Span, inner: Span) -> bool:
    return outer.unit == inner.unit and outer.line <= inner.line <= outer.end_line
