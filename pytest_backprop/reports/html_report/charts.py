"""Geometry of the live-range chart: a bar a value over the steps, and the live counts beneath.

Across, all is in per cent of the plot, which is as wide as the page lets it be; downwards in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...model.drawing import Drawing, DrawnLife, DrawnLine
from ..text import visible

ROW, GAP = 15, 26
"""Height of a row, and room between bars and counts."""
COUNT_HEIGHT = 120
"""Height of the counts."""
CHARACTERS = 17
"""Of a name, in the room there is."""
TICKS, COARSE = 36, 3
"""Labels on the axis of a wide page; one of so many stays on a narrow one."""
SIDE = 1000
"""Of the square in which curves are drawn, and which the page stretches."""


class Bar(Struct, frozen=True):
    """A value's life, in per cent: from `x` `needed` wide until its last use, then `beyond` wide."""

    label: str
    life: DrawnLife
    y: int
    x: float
    needed: float
    beyond: float


class Tick(Struct, frozen=True):
    """A place on an axis, and what stands there; `coarse` if a narrow page has it, too."""

    at: float
    label: str
    coarse: bool = True


class Curve(Struct, frozen=True):
    """Live counts as a path that goes in steps, in a square of `SIDE`."""

    path: str
    area: str
    peak: int


class Chart(Struct, frozen=True):
    """The whole chart; `count_top` is where the counts begin, `levels` their vertical axis.

    Autograd's own run is as wide as the student's. `turn` is where the backward of both begins, in
    per cent; None where the student's has no such place, and then `autograd` is stretched as a whole.
    `autograd` is None if it is not known, or if the drawing has the beginning of the pass alone.
    """

    height: int
    count_top: int
    count_bottom: int
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Tick, ...]
    mine: Curve
    autograd: Curve | None
    autograd_peak: int
    turn: float | None


def chart(drawing: Drawing) -> Chart | None:
    """The chart of a drawing; None if nothing lived."""
    steps = len(drawing.steps)
    if not steps or not drawing.lives:
        return None
    top = GAP + ROW * len(drawing.lives) + GAP
    bottom = top + COUNT_HEIGHT
    most = max([1, *drawing.live, *drawing.autograd_live])
    turn = _turn(drawing)
    ops, forward = len(drawing.autograd_live), drawing.autograd_forward
    if turn is None or not 0 < forward < ops:
        turn = None
        starts = [n / max(1, ops) for n in range(ops + 1)]
    else:
        before = [turn * n / forward for n in range(forward)]
        after = [turn + (1 - turn) * n / (ops - forward) for n in range(ops - forward + 1)]
        starts = before + after
    whole = ops and not drawing.left_out
    return Chart(
        height=bottom + 40,
        count_top=top,
        count_bottom=bottom,
        bars=tuple(_bar(life, row, steps) for row, life in enumerate(drawing.lives)),
        ticks=_ticks(drawing.steps),
        levels=tuple(Tick(top + _height(n, most, COUNT_HEIGHT), str(n)) for n in _levels(most)),
        mine=_curve(drawing.live, [n / steps for n in range(steps + 1)], most),
        autograd=_curve(drawing.autograd_live, starts, most) if whole else None,
        autograd_peak=max([0, *drawing.autograd_live]),
        turn=_percent(turn) if whole and turn is not None else None,
    )


def short(label: str, limit: int) -> str:
    """A name in one line of at most `limit` characters."""
    label = visible(label).replace("\n", " ")
    return label if len(label) <= limit else f"{label[: limit - 1]}…"


def _turn(drawing: Drawing) -> float | None:
    """Where the last statement that makes y has run, as a share of the steps."""
    forward = {node.at for node in drawing.nodes if node.part == "forward" and node.at is not None}
    made = [step for step, at in enumerate(drawing.steps, 1) if at in forward]
    return made[-1] / len(drawing.steps) if made and made[-1] < len(drawing.steps) else None


def _bar(life: DrawnLife, row: int, steps: int) -> Bar:
    return Bar(
        short(life.label, CHARACTERS),
        life,
        GAP + ROW * row,
        _percent(life.born / steps),
        _percent((life.used + 1 - life.born) / steps),
        _percent((life.ended - life.used) / steps),
    )


def _percent(share: float) -> float:
    return round(100 * share, 3)


def _curve(counts: Sequence[int], starts: Sequence[float], most: int) -> Curve:
    """`starts` has where each count begins, as a share of the width, and where the last ends."""
    points = []
    for count, left, right in zip(counts, starts, starts[1:], strict=False):
        y = _height(count, most, SIDE)
        points += [f"{SIDE * left:.5g} {y:g}", f"{SIDE * right:.5g} {y:g}"]
    path = "M" + " L".join(points) if points else ""
    area = f"{path} L{SIDE} {SIDE} L0 {SIDE} Z" if points else ""
    return Curve(path, area, max([0, *counts]))


def _height(count: int, most: int, height: int) -> float:
    return round(height * (1 - count / most), 2)


def _levels(most: int) -> list[int]:
    apart = max(1, -(-most // 4))
    return list(range(0, most + 1, apart))


def _ticks(steps: Sequence[DrawnLine | None]) -> tuple[Tick, ...]:
    """The lines of as many steps as have room."""
    apart = max(1, -(-len(steps) // TICKS))
    return tuple(
        Tick(_percent((step + 0.5) / len(steps)), str(at.line), step % (apart * COARSE) == 0)
        for step, at in enumerate(steps)
        if step % apart == 0 and at is not None
    )
