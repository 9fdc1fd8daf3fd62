"""What is still held at a time at which all should be gone: after backward, a reset or the call. It
is asked where grades are made."""

from __future__ import annotations

from collections.abc import Iterable

from ...judging.case import PassCase
from ...judging.release import called
from ...messages import say
from ...model import LOSS, VALUE, Finding, Place


def held(
    case: PassCase, message: str, place: Place | None, hint: str, values: bool = True
) -> list[Finding]:
    """A finding for each of the inputs, at `place`, and, unless `values` is false, for each of the
    student's own values that outlived the run. Gradients and what the grader itself puts together
    are not among them. The message says `{value}`."""
    recording, stored = case.recording, case.recording.values
    # where the student's own operators make a loss of it, the value is one more intermediate
    exempt = recording.storages_of(VALUE) if LOSS in recording.outputs else recording.storages_of()
    exempt |= {
        stored[v].storage for op in recording.ops if op.context == "grader" for v in op.reads
    }
    still = [(name, place, name) for name in case.facts.kept]
    for life in recording.lives if values else ():
        op = recording.ops[life.born]
        is_own = op.context in ("student", "engine") and life.storage not in exempt
        if life.dead_by is None and is_own:
            still.append((called(op), case.place(op.site), op.name))
    return [
        Finding("kept", say(message, value=value), place=at, name=name, hint=say(hint))
        for value, at, name in still
    ]


def once_a_line(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, of each kind one a line."""
    return list({(f.kind, f.place or f.name): f for f in reversed([*findings])}.values())[::-1]
