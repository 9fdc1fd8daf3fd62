"""What of a pass another pass may share, as numbers that can be compared without its text."""

from __future__ import annotations

from msgspec import Struct


class Trait(Struct, frozen=True, array_like=True):
    """One value that a pass calculates, renaming and layout aside. `line` counts in `cell`, or in the file.

    The other four are hashes of 32 bits: `value` of what is calculated, as a function of weights and inputs;
    `way` of the op and the operands that it is calculated with; `order` of the value that came before it;
    `drop` of how many ops ran between its last use and its end.
    """

    cell: int | None
    line: int | None
    value: int
    way: int
    order: int
    drop: int
