"""What the child of this exercise tells beside the runs, and names that both halves know. No
torch."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..adjoint.facts import AdjointFacts

BACKWARD, SECOND, RESET = "backward", "second", "reset"
"""Phases after `forward`: the gradients, their gradients, and `reset_tape`."""
UNRELATED = "unrelated"
"""The variation in which there is work on the tape that the value does not depend on."""
AGAIN = "again"
"""The variation in which the gradients are asked for twice on one tape."""


class Captured(Struct, frozen=True):
    """A Variable that a `propagate` has captured and that is no entry's output: the name by
    which it is held, and the storage of its value by the recording's numbers."""

    name: str
    storage: int


class TapeFacts(AdjointFacts, frozen=True):
    """`captured` are the Variables that a gradient of a gradient does not go through, as no
    entry of the tape has them among its outputs. `unrelated` is what came back for an input that
    the value does not depend on, in that variation."""

    captured: tuple[Captured, ...] = ()
    unrelated: Literal["", "none", "given"] = ""
