"""What is still held when all of a call should be gone. It is asked where grades are made."""

from __future__ import annotations

from ...judging.case import PassCase
from ...judging.release import called, kept
from ...messages import say
from ...model import Finding, Place


def held(
    case: PassCase, message: str, place: Place | None, hint: str, values: bool = True
) -> list[Finding]:
    """A finding for each of the inputs, at `place`, and for each of the student's own
    values unless `values` is false. The message says `{value}`."""
    still = [(name, place, name) for name in case.facts.kept]
    if values:
        still += [(called(op), case.place(op.site), op.name) for _, op in kept(case)]
    return [
        Finding("kept", say(message, value=value), place=at, name=name, hint=say(hint))
        for value, at, name in still
    ]
