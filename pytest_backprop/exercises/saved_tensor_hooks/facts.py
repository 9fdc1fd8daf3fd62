"""What both halves of this exercise know: how it is run, and what the child tells of a run. No
torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Fault, Scenario

SEED = "seed"
"""The number of a scenario from which its tensors are drawn."""
BACKWARD = "backward"
AGAIN = "again"
"""Two backwards through one graph."""
DROPPED = "dropped"
"""No backward: the value is dropped."""
GRAPHS = "graphs"
"""Three graphs, of which the first is dropped before the others."""
EMPTIED = "emptied"
"""Files are emptied before the backward."""
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
    `unpacked` says how the first tensor that unpack_hook changed differs: `type`, `dtype`, `shape`
    or `numbers`. `small` counts small tensors for which a file was made, `again` large ones that
    were written to a file which was there before, `changed` tensors that pack_hook changed. Of the
    large tensors that were read back after all files had been emptied, `from_memory` came back as
    they were, and `lost` did not. `storages` counts the storages of large tensors, and of copies
    that pack_hook made of them, which only the graph or the student's code can hold; `alive` those
    that were left when all was packed.
    """

    gradients: tuple[tuple[Bits | None, ...], ...] = ()
    fault: Fault | None = None
    step: str = ""
    unpacked: str = ""
    small: int = 0
    again: int = 0
    changed: int = 0
    from_memory: int = 0
    lost: int = 0
    storages: int = 0
    alive: int = 0


class HookReference(Struct, frozen=True):
    """What is right in one run: how many elements each tensor has that torch saves (`saves`), and
    of each of `names` the gradient."""

    label: str
    scenario: Scenario
    threshold: int
    names: tuple[str, ...]
    saves: tuple[int, ...]
    gradients: tuple[Bits, ...]

    @property
    def variation(self) -> str:
        """What is done."""
        return self.scenario.variation

    @property
    def stops(self) -> tuple[str, ...]:
        """Where the child stops, so that the grader can look at its files."""
        if self.is_emptied:
            return ("packed",)
        return ("packed", "half", "freed") if self.variation == GRAPHS else ("packed", "freed")

    @property
    def is_emptied(self) -> bool:
        """Whether its files are emptied, which may end its process."""
        return self.variation == EMPTIED

    @property
    def large(self) -> tuple[int, ...]:
        """The saves that are to be on disk, in all graphs of the run."""
        large = tuple(elements for elements in self.saves if elements >= self.threshold)
        return large * 3 if self.variation == GRAPHS else large
