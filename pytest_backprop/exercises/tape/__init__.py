"""An autograd of the student's own: `Variable`, its operators, a tape, and `grad`, as in the
course's note.

`task` reads the tasks and says what is right, `child` builds the expression of a task with the
student's Variables and asks their `grad`, `checks` are its own.
It does not know how a submission is judged."""

from __future__ import annotations

from ...messages import phrase
from ...model import CheckRules
from ..adjoint import AdjointFacts
from ..base import Wording, in_package

PASS_NAMES = ("grad",)
"""What the course's note calls it."""
BACKWARD, SECOND, RESET = "backward", "second", "reset"
"""Phases after `forward`: the gradients, their gradients, and `reset_tape`."""
UNRELATED = "unrelated"
"""The variation in which there is work on the tape that the value does not depend on."""
AGAIN = "again"
"""The variation in which gradients are asked for twice, on a tape that was reset after another
computation."""


class TapeFacts(AdjointFacts, frozen=True):
    """`unrelated`: whether something came back for an input that the value does not depend on, in
    that variation."""

    unrelated: bool = False


TAPE = in_package(
    __name__,
    "tape",
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=20),
        "gradient": CheckRules(points=35, credit="share"),
        "none": CheckRules(points=10),
        "unused-nodes": CheckRules(points=15, credit="per-finding", penalty=0.1),
        "release": CheckRules(points=20),
        "second-order": CheckRules(points=20, credit="share"),
    },
    wording=Wording(
        value=phrase("the expression"),
        raises=phrase(
            "build `L = (g * y).sum()` of small Variables, call `grad(L, [a, b])` and read "
            "the traceback from the bottom"
        ),
        beside=phrase(
            "have grad skip entries whose outputs have no gradient, leave the tape as it is "
            "for another grad, and have reset_tape clear all that a computation leaves"
        ),
        no_gradient=phrase(
            "append an entry for each operator, with the names of its inputs and outputs, and have "
            "propagate return a gradient for each input"
        ),
        wrong_gradient=phrase(
            "follow each path from the input to L: the gradients of all uses are added up"
        ),
    ),
    facts=TapeFacts,
    second_order="second-order",
    none_is_zero=True,
)
