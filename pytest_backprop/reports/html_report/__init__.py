"""The HTML report: a page for the class, one for each submission, and what they share.

It is read from a folder, without a server: nothing in it asks for anything outside that folder, and
all text of a submission is text only. Scripts add sorting, filtering and the layout of the graph;
without them the pages still tell everything. A card for a notebook tells the same of one
submission, without a script or another file."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ...model.drawing import Drawing
from ...model.verdict import in_order, status_of
from ..document import CheckEntry, Document, FindingEntry, SubmissionEntry
from ..feedback import (
    Tone,
    explained_checks,
    first_fault,
    hidden_checks,
    is_judged,
    is_right,
    reproducer,
    shared_faults,
    shown_entry,
    tone,
)
from .drawings import as_hinted, graph, line_name, rows, short, wrong_lines
from .site import HERE, STUDENT_SCRIPTS, Block, Site, blocks, line_id, notes_by_line, page_names

BINS = 10
"""Columns of the distribution of scores."""
AROUND = 2
"""Lines that a card shows above and below one that something is found at."""


def files(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    """The files of the report, as (relative path, content); `drawings` by path of the entry.

    The document must have been through `apply_hints`: the pages mark what its findings point at,
    and of the drawings no more than its settings allow."""
    names = page_names(document)
    site = Site()
    for path in (*(HERE / "assets").iterdir(), *(HERE / "vendor").iterdir()):
        yield f"assets/{path.name}", path.read_bytes()
    yield "index.html", _class_page(site, document, names)
    for name, entry in zip(names, document.submissions, strict=True):
        yield name, _student_page(site, document, entry, drawings.get(entry.path))


# -- the class ------------------------------------------------------------------------------------


def _class_page(site: Site, document: Document, files: Sequence[str]) -> bytes:
    """Totals, distribution of scores, commonest faults, a row a submission; `files` has the file of
    each submission's page."""
    entries = document.submissions
    # None where nothing was judged
    shares = [e.score / e.max_score if is_judged(e) and e.max_score > 0 else None for e in entries]
    # full marks stand with the nineties
    tenths = Counter(min(int(s * BINS + 1e-9), BINS - 1) for s in shares if s is not None)
    faults = shared_faults(document)
    faults_of: list[list[str]] = [[] for _ in entries]
    for place, fault in enumerate(faults):
        for number in fault.submissions:
            faults_of[number].append(f"f{place}")
    return site.render(
        "class.html.jinja",
        ("assets/class.js",),
        document=document,
        files=files,
        names=[e.student or e.path.rpartition("/")[2] or e.path for e in entries],
        shares=shares,
        checks=list(dict.fromkeys(check.id for entry in entries for check in entry.checks)),
        statuses=list(dict.fromkeys(entry.status for entry in entries)),
        bins=[tenths[n] for n in range(BINS)],
        faults=faults,
        faults_of=faults_of,
        examples=3,
    )


# -- a submission ---------------------------------------------------------------------------------


def _student_page(
    site: Site, document: Document, whole: SubmissionEntry, drawing: Drawing | None
) -> bytes:
    """What to fix first, the source with findings, the checks, the graph, the live ranges.

    The page may be handed on: what the rubric hides from students is not on it, nor marked in
    drawings, and nothing of it is another student's, not even the name of a page."""
    entry = shown_entry(whole)
    hints = "none" if hidden_checks(whole) else document.settings.hints
    drawing = as_hinted(drawing or Drawing(()), hints, entry.checks)
    # the first node of each line
    nodes = {
        line_id(at.cell, at.line): f"node{i}"
        for i, n in reversed([*enumerate(drawing.nodes)])
        if (at := n.at)
    }
    source = blocks(drawing.fragments, notes_by_line(entry.checks), nodes)
    reproducers = {check.id: reproducer(check) for check in entry.checks}
    return site.render(
        "student.html.jinja",
        STUDENT_SCRIPTS,
        document=document,
        entry=entry,
        is_judged=is_judged,
        hints=hints,
        first=first_fault(entry.checks),
        grouped=grouped,
        parts={part.name: part for part in entry.parts},
        status_of=status_of,
        drawing=drawing,
        source=source,
        line_ids={line.id for block in source for line in block.lines},
        graph=graph(drawing, wrong_lines(entry.checks)),
        short=short,
        line_name=line_name,
        line_id=line_id,
        reproducers={} if document.settings.hints == "none" else reproducers,
    )


def grouped(check: CheckEntry) -> list[tuple[str, Tone, list[FindingEntry]]]:
    """The findings of a check by kind and tone, in the order in which a student should read
    them."""
    groups: dict[tuple[str, Tone], list[FindingEntry]] = {}
    for finding in in_order(check.findings):
        groups.setdefault((finding.kind, tone(finding, check.findings)), []).append(finding)
    return [(kind, tone, findings) for (kind, tone), findings in groups.items()]


# -- a card ---------------------------------------------------------------------------------------


def card(entry: SubmissionEntry, title: str, drawing: Drawing | None, hints: str) -> str:
    """A submission as a card for a notebook: a piece of HTML that takes its colours from where it
    stands. The verdict, what to fix first, the source with findings, the graph and the live ranges.
    The entry is as students may see it. Nothing stands there twice."""
    drawing = as_hinted(drawing or Drawing(()), hints, entry.checks)
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
        repeats = any(finding.message.replace("\n", " ") in check.message for finding in findings)
        message = "" if repeats or status_of(entry, check.id) != "graded" else check.message
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
