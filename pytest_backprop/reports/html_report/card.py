"""A submission as a card for a notebook: a piece of HTML that needs no script, no network and no
other file, and takes its colours from where it stands."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence

from ...model.drawing import Drawing
from ...model.verdict import in_order, status_of
from ..document import CheckEntry, FindingEntry, SubmissionEntry
from ..feedback import explained_checks, first_fault, is_judged, is_right
from .drawings import as_hinted, graph, short, wrong_lines
from .layered import rows
from .site import HERE, Block, Site, blocks, line_id, notes_by_line

AROUND = 2
"""Lines that are shown above and below one that something is found at."""


def card(entry: SubmissionEntry, title: str, drawing: Drawing | None, hints: str) -> str:
    """The verdict, what to fix first, the source with findings, the graph and the live ranges. The
    entry is as students may see it. Nothing stands there twice."""
    drawing = as_hinted(drawing or Drawing(()), hints)
    first = first_fault(entry.checks)
    notes = notes_by_line(entry.checks)
    source = [*_near(blocks(drawing.fragments, notes, {}))]
    shown = {line.id for block in source for line in block.lines}
    drawn = graph(drawing, wrong_lines(entry.checks))
    return _site().fragment(
        "card.html.jinja",
        style=_style(),
        entry=entry,
        title=title,
        is_judged=is_judged(entry),
        is_right=is_right(entry),
        first=first,
        found=[*_found(entry, first and first[1], shown)],
        source=source,
        drawing=drawing,
        graph=rows(drawn) if drawing.nodes else None,
        short=short,
        hints=hints,
    )


def _near(source: Sequence[Block]) -> Iterator[Block]:
    """Of each cell the lines that something is found at, and those around them: the whole cell
    stands in the notebook."""
    for block in source:
        noted = [number for number, line in enumerate(block.lines) if line.notes]
        near = [n for n in range(len(block.lines)) if any(abs(n - at) <= AROUND for at in noted)]
        if near:
            yield block._replace(lines=[block.lines[number] for number in near])


def _found(
    entry: SubmissionEntry, first: FindingEntry | None, shown: Collection[str]
) -> Iterator[tuple[CheckEntry, str, Sequence[FindingEntry]]]:
    """What is told of the checks beside the source: a message where its findings do not say it, and
    findings whose line is not `shown`."""
    for check in explained_checks(entry):
        findings = in_order(check.findings)
        told = any(finding.message.replace("\n", " ") in check.message for finding in findings)
        message = "" if told or status_of(entry, check.id) != "graded" else check.message
        apart = [f for f in findings if f != first and line_id(f.cell, f.line, f.file) not in shown]
        if message or apart:
            yield check, message, apart


@functools.cache
def _site() -> Site:
    return Site()


@functools.cache
def _style() -> str:
    """The card's own rules, and those of source and drawings that the report has, for cards
    alone."""
    report = (HERE / "assets" / "report.css").read_text(encoding="utf-8")
    shared = report.partition("too */")[2].partition("/* until here */")[0]
    own = (HERE / "templates" / "card.css").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", f".backprop-card {{ {shared} }} {own}")
