"""What is alive when all is over, and should not be: after torch's engine has called a Function's backward, or
after a tape was reset."""

from __future__ import annotations

from ..messages import phrase, say
from ..model import LOSS, VALUE, Finding, Life, Op
from ..trace.graph import op_name
from .case import PassCase

HOLD_NONE = phrase("keep no tensor in a global, a class or an attribute")
RESET = "reset"
"""The phase in which all is to be let go."""


def kept(case: PassCase) -> list[tuple[Life, Op]]:
    """The student's own values that outlived the run, with the ops that made them; gradients and what the
    grader itself puts together are not among them."""
    recording, values = case.recording, case.recording.values
    # where the student's own operators make a loss of it, the value is one more intermediate
    own = recording.storages_of(VALUE) if LOSS in recording.outputs else recording.storages_of()
    own |= {values[v].storage for op in recording.ops if op.context == "grader" for v in op.reads}
    return [
        (life, recording.ops[life.born])
        for life in recording.lives
        if life.dead_by is None
        and life.storage not in own
        and recording.ops[life.born].context in ("student", "engine")
    ]


def once_a_line(findings: list[Finding]) -> list[Finding]:
    """The findings, of each kind one a line."""
    return list({(f.kind, f.place or f.name): f for f in reversed(findings)}.values())[::-1]


def called(made: Op) -> str:
    """What a finding calls a value."""
    return f"`{made.name}`" if made.name else say("the result of `{op}`", op=op_name(made))
