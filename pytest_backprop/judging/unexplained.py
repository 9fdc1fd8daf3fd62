"""What is told of a method whose numbers no recorded op explains: nothing is earned without
provenance."""

from __future__ import annotations

from collections.abc import Sequence

from ..messages import phrase, say
from ..model import Finding, Op, Place, Recording
from ..trace.watched import NUMBERS
from .case import Case, Method

WAY_OUT = phrase("calculate with tensors all the way, from `self.w` and the inputs to `.grad`")


def unexplained(case: Case, method: Method, recordings: Sequence[Recording], what: str) -> Finding:
    """The finding for a value or gradient, called `what`, that the recorded ops do not give."""
    reason, place = evidence(case, method, recordings)
    return Finding(
        "hidden-work",
        say("{value} is not explained by ops on tensors: {reason}", value=what, reason=reason),
        place=place,
        hint=say(case.wording.ways_out.get("hidden-work") or WAY_OUT),
    )


def evidence(
    case: Case, method: Method, recordings: Sequence[Recording]
) -> tuple[str, Place | None]:
    """What was seen, and at which line: the op that cannot be run again, numbers that were taken
    out of tensors, or tensors from elsewhere."""
    verified = method.verified
    if verified.op is not None:
        sites = [
            recording.ops[verified.op].site
            for recording in recordings
            if verified.op < len(recording.ops)
        ]
        return verified.reason, case.place(sites[0]) if sites else None
    look = _look(recordings)
    if look is not None:
        way = look.target.removeprefix("python::")
        message = say("the pass calculates with numbers taken out of tensors (`{way}`)", way=way)
        return message, case.place(look.site)
    if any(value.origin == "foreign" for recording in recordings for value in recording.values):
        return say(
            "it uses tensors that were not made in it, and they change from run to run"
        ), None
    return verified.reason, None


def _look(recordings: Sequence[Recording]) -> Op | None:
    """The first op that takes numbers out of a tensor."""
    for recording in recordings:
        for op in recording.ops:
            if op.target in NUMBERS:
                return op
    return None
