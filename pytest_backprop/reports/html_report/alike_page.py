"""The page of submissions that are more alike than their task makes them, for the instructor alone."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...model.drawing import Drawing
from ..alike_entries import AlikeLines, AlikePair
from ..document import Document
from .site import Site
from .source import SourceLine, blocks

Line = tuple[int | None, int]


class Side(Struct, frozen=True):
    """A line of one submission beside the other's. `met` is the line there that calculates the same, if it
    stands elsewhere."""

    cell: int | None
    line: SourceLine
    met: Line | None


class AlikeRow(Struct, frozen=True):
    """What stands side by side; a side without a line is None. `mark` is `rare`, `same` or nothing."""

    first: Side | None
    second: Side | None
    mark: str


def page(
    site: Site, document: Document, names: Sequence[str], drawings: Mapping[str, Drawing]
) -> bytes:
    """The page; `names` has the file of each submission's, `drawings` their sources by path."""
    hrefs = {entry.path: name for entry, name in zip(document.submissions, names, strict=True)}
    return site.render(
        "alike.html.jinja",
        (),
        document=document,
        alike=document.alike,
        pairs=[
            (pair, _rows(pair, *(drawings.get(path) for path in pair.paths)))
            for pair in document.alike.pairs
        ],
        hrefs=hrefs,
    )


def _rows(pair: AlikePair, first: Drawing | None, second: Drawing | None) -> list[AlikeRow]:
    """Both sources side by side: lines that calculate the same stand in one row where the order allows it."""
    left, right = (dict(_lines(drawing)) for drawing in (first, second))
    partner, other = _partners(pair.lines)
    rare = {place for at in pair.lines if at.rare for place in _places(at)}
    lefts, rights = list(left), list(right)
    row_of = {place: row for row, place in enumerate(rights)}
    met = [
        (row, row_of[partner[place]])
        for row, place in enumerate(lefts)
        if partner.get(place) in row_of
    ]
    rows: list[AlikeRow] = []
    ended = (0, 0)
    for a, b in [*_increasing(met), (len(lefts), len(rights))]:
        between = itertools.zip_longest(lefts[ended[0] : a], rights[ended[1] : b])
        for one, two in between:
            rows.append(
                AlikeRow(
                    one and Side(one[0], left[one], partner.get(one)),
                    two and Side(two[0], right[two], other.get(two)),
                    "",
                )
            )
        if a < len(lefts) and b < len(rights):
            one, two = lefts[a], rights[b]
            mark = "rare" if ("first", one) in rare else "same"
            rows.append(
                AlikeRow(Side(one[0], left[one], None), Side(two[0], right[two], None), mark)
            )
        ended = a + 1, b + 1
    return rows


def _lines(drawing: Drawing | None) -> Iterator[tuple[Line, SourceLine]]:
    for block in blocks(drawing.fragments if drawing else (), {}, {}):
        for line in block.lines:
            yield (block.cell, line.number), line


def _places(at: AlikeLines) -> tuple[tuple[str, Line], tuple[str, Line]]:
    return (
        ("first", (at.first_cell, at.first_line)),
        ("second", (at.second_cell, at.second_line)),
    )


def _partners(lines: Sequence[AlikeLines]) -> tuple[dict[Line, Line], dict[Line, Line]]:
    """For each line of either the first of the other's that calculates the same, the rare ones first."""
    first: dict[Line, Line] = {}
    second: dict[Line, Line] = {}
    for at in sorted(lines, key=lambda at: not at.rare):
        (_, one), (_, two) = _places(at)
        first.setdefault(one, two)
        second.setdefault(two, one)
    return first, second


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of `pairs`, whose firsts increase, of which the seconds increase, too."""
    ends: list[int] = []
    chain: list[tuple[int, int | None]] = []
    at_end: list[int] = []
    for number, (_, second) in enumerate(pairs):
        place = bisect.bisect_left(ends, second)
        chain.append((number, at_end[place - 1] if place else None))
        ends[place : place + 1] = [second]
        at_end[place : place + 1] = [number]
    found: list[tuple[int, int]] = []
    at: int | None = at_end[-1] if at_end else None
    while at is not None:
        found.append(pairs[at])
        at = chain[at][1]
    return found[::-1]
