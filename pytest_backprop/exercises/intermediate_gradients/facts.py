"""What both halves of this exercise know: what the child tells beside the runs, and what is
right where it runs beside the draws. No torch."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ...model import Tensor
from ..adjoint.facts import AdjointFacts, Reference

AGAIN = "again"
"""The variation in which the function is called twice, with the same tensors."""

Kind = Literal["leaf", "value"]


class IntermediateFacts(AdjointFacts, frozen=True):
    """`answer` says what was returned where no gradients can be taken from it. `hooked` are the
    leaves on which hooks stay, `graphs` the intermediates whose gradients hold a graph of their
    own, `grown` is whether what an earlier call returned was still held after the next, and
    `stale` are the intermediates for which another call with the numbers of the first gave
    others."""

    answer: str = ""
    hooked: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    grown: bool = False
    stale: tuple[str, ...] = ()


class Known(Struct, frozen=True):
    """Something else than what is asked for that a student may return: the gradient of a leaf
    (`kind` `leaf`), or the value of an intermediate itself."""

    kind: Kind
    name: str
    numbers: Tensor


class IntermediateReference(Reference, frozen=True):
    """What is right in a run beside the draws; `known` is what is mistaken for it."""

    known: tuple[Known, ...] = ()
