"""Words for the fixed ids of statuses and outcomes, to be given to `say`. Templates write them out, so
that they can be extracted."""

from __future__ import annotations

from collections.abc import Mapping

from ..messages import phrase, say
from ..model import Outcome, Status, VariantSource

STATUSES: Mapping[Status, str] = {
    "graded": phrase("graded"),
    "unreadable": phrase("unreadable"),
    "timeout": phrase("timeout"),
    "out_of_memory": phrase("out of memory"),
    "crashed": phrase("crashed"),
    "grader_error": phrase("grader error"),
    "not_judged": phrase("not judged"),
    "not_reached": phrase("not reached"),
}
OUTCOMES: Mapping[Outcome, str] = {
    "passed": phrase("passed"),
    "partial": phrase("partial"),
    "failed": phrase("failed"),
    "not_judged": phrase("not judged"),
}
SOURCES: Mapping[VariantSource | None, str] = {
    "name": phrase("name"),
    "submission": phrase("text"),
}
"""Where a variant was read that no roster and no option names: the student's file says it."""


def status_label(status: Status) -> str:
    """How grading ended, in words."""
    return say(STATUSES[status])


def variant_label(variant: str | None, source: VariantSource | None) -> str:
    """`v8`, or `v8 (name)` where only the student's file says that it is v8."""
    if variant is None or source not in SOURCES:
        return variant or "-"
    return f"{variant} ({say(SOURCES[source])})"


def place_label(line: int, cell: int | None, execution_count: int | None = None) -> str:
    """`line 17`, `cell 4, line 17`, or `cell 4 (In [12]), line 17`."""
    if cell is None:
        return say("line {line}", line=line)
    if execution_count is None:
        return say("cell {cell}, line {line}", cell=cell, line=line)
    return say(
        "cell {cell} (In [{count}]), line {line}", cell=cell, count=execution_count, line=line
    )
