"""Geometry of the live-range chart, in pixels: a bar a value over the steps, and the live counts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...model.drawing import Drawing, DrawnLife, DrawnLine
from ..text import visible

LABEL, ROW, GAP = 132, 15, 26
"""Room for names, height of a row, and room between bars and counts."""
COUNT_HEIGHT = 120
"""Height of the counts."""
WIDTH = 720
"""Of all steps together, if they fit."""
CHARACTERS = 17
"""Of a name, in the room there is."""


class Bar(Struct, frozen=True):
    """A value's life: `x` to `used` until its last use, from there to `ended` after it."""

    label: str
    life: DrawnLife
    y: int
    x: float
    used: float
    ended: float


class Tick(Struct, frozen=True):
    """A place on an axis, and what stands there."""

    at: float
    label: str


class Curve(Struct, frozen=True):
    """Live counts as a path that goes in steps, with what its axes say.

    `turn` is where the backward begins, None if that is not known.
    """

    width: float
    path: str
    area: str
    ticks: tuple[Tick, ...]
    peak: int
    turn: float | None


class Chart(Struct, frozen=True):
    """The whole chart; `count_top` is where the counts begin, `levels` their vertical axis."""

    width: float
    height: float
    count_top: float
    count_bottom: float
    bars: tuple[Bar, ...]
    mine: Curve
    autograd: Curve
    levels: tuple[Tick, ...]


def chart(drawing: Drawing) -> Chart | None:
    """The chart of a drawing; None if nothing lived."""
    if not drawing.steps or not drawing.lives:
        return None
    step = max(7.0, min(26.0, WIDTH / len(drawing.steps)))
    top = GAP + ROW * len(drawing.lives)
    count_top = top + GAP
    bottom = count_top + COUNT_HEIGHT
    most = max([1, *drawing.live, *drawing.autograd_live])
    bars = tuple(
        Bar(
            short(life.label, CHARACTERS),
            life,
            GAP + ROW * row,
            LABEL + step * life.born,
            LABEL + step * (life.used + 1),
            LABEL + step * (life.ended + 1),
        )
        for row, life in enumerate(drawing.lives)
    )
    lines = [_line(at) for at in drawing.steps]
    mine = _curve(drawing.live, step, most, count_top, _ticks(lines, step), None, LABEL)
    ops = len(drawing.autograd_live)
    narrow = max(3.0, min(8.0, 320 / max(1, ops)))
    numbers = [str(n + 1) for n in range(ops)]
    turn = LABEL / 4 + narrow * drawing.autograd_forward if ops else None
    autograd = _curve(drawing.autograd_live, narrow, most, count_top, _ticks(numbers, narrow, LABEL / 4),
                      turn, LABEL / 4)  # fmt: skip
    return Chart(
        mine.width,
        bottom + 40,
        count_top,
        bottom,
        bars,
        mine,
        autograd,
        tuple(Tick(_height(n, most, count_top), str(n)) for n in _levels(most)),
    )


def short(label: str, limit: int) -> str:
    """A name in one line of at most `limit` characters."""
    label = visible(label).replace("\n", " ")
    return label if len(label) <= limit else f"{label[: limit - 1]}…"


def _line(at: DrawnLine | None) -> str:
    return "" if at is None else str(at.line)


def _curve(
    counts: Sequence[int],
    step: float,
    most: int,
    top: float,
    ticks: tuple[Tick, ...],
    turn: float | None,
    left: float,
) -> Curve:
    points = []
    for position, count in enumerate(counts):
        y = _height(count, most, top)
        points += [f"{left + step * position:g} {y:g}", f"{left + step * (position + 1):g} {y:g}"]
    path = "M" + " L".join(points) if points else ""
    right = left + step * len(counts)
    base = top + COUNT_HEIGHT
    area = f"{path} L{right:g} {base:g} L{left:g} {base:g} Z" if points else ""
    return Curve(right + 12, path, area, ticks, max([0, *counts]), turn)


def _height(count: int, most: int, top: float) -> float:
    return round(top + COUNT_HEIGHT * (1 - count / most), 2)


def _levels(most: int) -> list[int]:
    apart = max(1, -(-most // 4))
    return list(range(0, most + 1, apart))


def _ticks(labels: Sequence[str], step: float, left: float = LABEL) -> tuple[Tick, ...]:
    """As many labels as have room."""
    apart = max(1, round(30 / step))
    return tuple(
        Tick(left + step * (position + 0.5), label)
        for position, label in enumerate(labels)
        if position % apart == 0 and label
    )
