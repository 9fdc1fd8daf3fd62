"""What the child of this exercise tells beside the runs. No torch."""

from __future__ import annotations

from ..adjoint.facts import AdjointFacts

TWICE = "twice"
"""The phase in which all runs once more, to be differentiated."""


class FunctionFacts(AdjointFacts, frozen=True):
    """`saved` has the storages, by the recording's numbers, of the tensors that went through
    `save_for_backward`. `on_ctx` are the names of attributes of ctx that hold tensors or copies
    of their numbers. In `returned` is what backward returned, and `second` is by torch's engine."""

    saved: tuple[int, ...] = ()
    on_ctx: tuple[str, ...] = ()
