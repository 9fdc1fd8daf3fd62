"""Words for the fixed ids of statuses and outcomes, to be given to `say`. Templates write them out, so
that they can be extracted."""

from __future__ import annotations

from collections.abc import Mapping

from ..messages import phrase
from ..model import Outcome, Status

STATUSES: Mapping[Status, str] = {
    "graded": phrase("graded"),
    "unreadable": phrase("unreadable"),
    "timeout": phrase("timeout"),
    "out_of_memory": phrase("out of memory"),
    "crashed": phrase("crashed"),
    "grader_error": phrase("grader error"),
}
OUTCOMES: Mapping[Outcome, str] = {
    "passed": phrase("passed"),
    "partial": phrase("partial"),
    "failed": phrase("failed"),
    "not_judged": phrase("not judged"),
}
