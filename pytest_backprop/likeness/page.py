"""The page of submissions that are more alike than their task makes them, for the instructor
alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from ..model.drawing import Drawing
from ..reports import ALIKE_PAGE
from ..reports.document import AlikePair, Document
from ..reports.html_report.site import Site, blocks, page_names

Line = tuple[int | None, int]


class Side(NamedTuple):
    """A line of one submission. `partner` is the line of the other that calculates the same."""

    cell: int | None
    line: int
    code: Markup
    partner: Line | None


def files(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    """The page, as a file of the HTML report, if anything was compared; `drawings` have the
    sources."""
    alike = document.alike
    if not (alike.compared or alike.too_few):
        return
    names = page_names(document)
    hrefs = {entry.path: name for entry, name in zip(document.submissions, names, strict=True)}
    pairs = [(pair, _rows(pair, *map(drawings.get, pair.paths))) for pair in alike.pairs]
    site = Site(Path(__file__).parent)
    values = {"document": document, "alike": alike, "pairs": pairs, "hrefs": hrefs}
    yield ALIKE_PAGE, site.render("alike.html.jinja", (), **values)


def _rows(pair: AlikePair, first: Drawing | None, second: Drawing | None) -> list[Any]:
    """Both sources side by side, as (one side or None, the other or None, `rare`, `same` or
    nothing): lines that calculate the same stand in one row where their order allows it."""
    there: dict[Line, Line] = {}
    here: dict[Line, Line] = {}
    rare = set()
    for lines in sorted(pair.lines, key=lambda lines: not lines.rare):
        one, two = (lines.first_cell, lines.first_line), (lines.second_cell, lines.second_line)
        there.setdefault(one, two)
        here.setdefault(two, one)
        rare |= {one} if lines.rare else set()
    left, right = _sides(first, there), _sides(second, here)
    rows: list[Any] = []
    partners: list[object] = [side.partner or side for side in left]
    places: list[object] = [(side.cell, side.line) for side in right]
    matcher = SequenceMatcher(None, partners, places, autojunk=False)
    for tag, a, to_a, b, to_b in matcher.get_opcodes():
        for one_side, two_side in zip_longest(left[a:to_a], right[b:to_b]):
            mark = ""
            if tag == "equal":
                mark = "rare" if (one_side.cell, one_side.line) in rare else "same"
            rows.append((one_side, two_side, mark))
    return rows


def _sides(drawing: Drawing | None, partners: Mapping[Line, Line]) -> Sequence[Side]:
    return [
        Side(block.cell, line.number, line.code, partners.get((block.cell, line.number)))
        for block in blocks(drawing.fragments if drawing else (), {}, {})
        for line in block.lines
    ]
