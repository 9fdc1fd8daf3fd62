"""What pages draw of a submission, as plain frozen data: it travels with the grade."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Fragment(Struct, frozen=True):
    """Consecutive lines of a submission, as the student sees them; `first` is the first's number.

    A short submission is one fragment a unit; of a long one only the lines that matter are here."""

    cell: int | None
    first: int
    lines: tuple[str, ...]


class DrawnLine(Struct, frozen=True, array_like=True):
    """A line of a submission, in the reader's counting."""

    cell: int | None
    line: int


Part = Literal["forward", "backward", "unused", "side"]


class DrawnNode(Struct, frozen=True):
    """One op of the pass. `sources` are positions in `Drawing.nodes`, `leaves` in `Drawing.leaves`.

    `part`: `forward` reaches y, `backward` only gradients, `unused` neither, and `side` is needed
    without data flow (a condition, room for results). `late`: its result outlives its last use."""

    op: str
    name: str | None
    at: DrawnLine | None
    part: Part
    sources: tuple[int, ...]
    leaves: tuple[int, ...]
    late: bool = False


class DrawnTarget(Struct, frozen=True):
    """y, or the gradient of a weight, with the nodes that made it."""

    label: str
    sources: tuple[int, ...]


class DrawnLife(Struct, frozen=True):
    """The life of one value in steps: made in `born`, used last in `used`, alive in `ended` still.

    `tail` says what the steps after `used` are: `late`, or `kept` for a reason that costs nothing.
    """

    label: str
    at: DrawnLine | None
    born: int
    used: int
    ended: int
    tail: Literal["none", "late", "kept"]


class Drawing(Struct, frozen=True):
    """What a page shows of a submission besides its grade: source, data flow, lives.

    A step is a stretch of ops of one statement; `steps` has their lines, `live` the greatest number
    of live values in each, `autograd_peak` that of torch's own run. `left_out` counts ops beyond
    what is drawn. `part` is the part of an assignment whose pass is drawn."""

    fragments: tuple[Fragment, ...]
    lines_left_out: int = 0
    leaves: tuple[str, ...] = ()
    nodes: tuple[DrawnNode, ...] = ()
    targets: tuple[DrawnTarget, ...] = ()
    steps: tuple[DrawnLine | None, ...] = ()
    lives: tuple[DrawnLife, ...] = ()
    live: tuple[int, ...] = ()
    autograd_peak: int = 0
    left_out: int = 0
    part: str = ""
