"""What both halves of this exercise know: how it is run, and what the child tells of a run. No
torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Fault, Scenario

BACKWARD = "backward"
AGAIN = "again"
"""Two backwards through one graph."""
GRAPHS = "graphs"
"""Three graphs, of which the first is dropped before the last has its backward."""
GRAPH_COUNT = 3
MAX_BYTES = 2**18
"""Bytes of a gradient that the child sends."""


class Bits(Struct, frozen=True):
    """A tensor bit by bit, row-major, up to `MAX_BYTES`."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class HookFacts(Struct, frozen=True):
    """What came of a run. A large tensor is one that is to be on disk.

    `gradients` has those of each backward: one for each tensor that requires it, None where there
    is none. `fault` is an error of the student's, in the `step` (pack, unpack, again) where it was.
    `small` counts small tensors for which a file was made, `again` large ones that were written to
    a file which was there before, `changed` tensors that pack_hook changed. `kept` counts tensors
    with the numbers of a large one that are alive after all files were overwritten.
    """

    gradients: tuple[tuple[Bits | None, ...], ...] = ()
    fault: Fault | None = None
    step: str = ""
    small: int = 0
    again: int = 0
    changed: int = 0
    kept: int = 0


class HookReference(Struct, frozen=True):
    """What is right in one run: how many elements each large tensor has that torch saves in one
    graph (`saves`), and the gradient of each tensor that requires one. `stops` are where the child
    stops, so that the grader can look at its files: when all is packed, when the first of several
    graphs is dropped, and when all are."""

    label: str
    scenario: Scenario
    threshold: int
    saves: tuple[int, ...]
    gradients: tuple[Bits, ...]
    stops: tuple[str, ...] = ("packed", "dropped", "freed")

    @property
    def large(self) -> tuple[int, ...]:
        """The saves that are to be on disk, in all graphs of the run."""
        return self.saves * (GRAPH_COUNT if self.scenario.variation == GRAPHS else 1)
