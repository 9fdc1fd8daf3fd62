"""What both halves of this exercise know: how it is run, and what the child tells of a run. No torch."""

from __future__ import annotations

from msgspec import Struct

from ...model import Fault, Scenario

SEED = "seed"
"""The one number of a scenario, from which the tensors are drawn."""
BACKWARD, AGAIN, DROPPED, RAISES, GRAPHS, EMPTIED, WEIGHED = (
    "backward", "again", "dropped", "raises", "graphs", "emptied", "weighed"
)  # fmt: skip
"""Variations: backward once; twice through one graph; none, the value is dropped; one that an error ends; three
graphs, of which the first is dropped; with files that are emptied before the backward; the same with large
tensors."""
STOPS = {
    BACKWARD: ("packed", "freed"),
    AGAIN: ("packed", "freed"),
    DROPPED: ("packed", "freed"),
    RAISES: ("packed", "freed"),
    GRAPHS: ("packed", "half", "freed"),
    EMPTIED: ("packed",),
    WEIGHED: ("start", "packed"),
}
"""Where the child stops in each of them, to be looked at."""
MAX_TOLD = 2**18
"""Bytes of a gradient that are told."""


class Bits(Struct, frozen=True):
    """A tensor bit by bit, row-major, as far as it is told."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class HookFacts(Struct, frozen=True):
    """What came of a run. `gradients` has one for each that is asked for, None where there is none; `second` those
    of the backward that came second. `fault` is an error of the student's, in the `step` where it was.

    `unpacked` says what is wrong with the first tensor that came back from unpack_hook as another than went
    into pack_hook: `type`, `dtype`, `shape` or `numbers`. `small` counts tensors below the threshold for which
    there was a new file, `nothing` and `again` those not below it for which there was none, or one that was
    there before. `nameless` are files without a name that were open when all was packed, `still_open` those in
    the end. `changed`: whether a hook changed its
    tensor; `itself`: whether pack_hook returned the very tensor that it was given. `kept` counts tensors not below the
    threshold that came back bit by bit once all files were emptied, `lost` those that did not.
    `modes_refused`: whether the sandbox refused the mode that a hook wanted to give to a file or folder of its own.
    """

    gradients: tuple[Bits | None, ...] = ()
    second: tuple[Bits | None, ...] = ()
    fault: Fault | None = None
    step: str = ""
    unpacked: str = ""
    small: int = 0
    nothing: int = 0
    again: int = 0
    nameless: int = 0
    still_open: int = 0
    changed: bool = False
    itself: bool = False
    kept: int = 0
    lost: int = 0
    modes_refused: bool = False


class SavedTensor(Struct, frozen=True):
    """A tensor that torch saves: elements, what the bytes of its numbers are, and how many are left of these when
    they are packed."""

    elements: int
    content: bytes
    packed: int


class HookReference(Struct, frozen=True):
    """What is right in one run: `saves` in their order, and the gradients, bit by bit, without hooks and with some
    that lay tensors out anew. `held` are the bytes of those that nothing but the graph holds (of all, where there
    are none such), `value` those of the value."""

    label: str
    scenario: Scenario
    threshold: int
    names: tuple[str, ...]
    saves: tuple[SavedTensor, ...]
    gradients: tuple[tuple[Bits, ...], ...]
    held: int
    value: int

    @property
    def variation(self) -> str:
        """What is done."""
        return self.scenario.variation

    @property
    def stops(self) -> tuple[str, ...]:
        """Where the child stops, to be looked at."""
        return STOPS[self.variation]

    @property
    def is_emptied(self) -> bool:
        """Whether its files are emptied, which may end its process."""
        return self.variation in (EMPTIED, WEIGHED)

    @property
    def large(self) -> tuple[SavedTensor, ...]:
        """Those that are to be on disk, in all graphs of the run."""
        found = tuple(save for save in self.saves if save.elements >= self.threshold)
        return found * 3 if self.variation == GRAPHS else found

    @property
    def small(self) -> tuple[SavedTensor, ...]:
        """Those that are not."""
        return tuple(save for save in self.saves if save.elements < self.threshold)
