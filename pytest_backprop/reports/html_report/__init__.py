"""The HTML report: a page for the class, one for each submission, and what they share.

It is read from a folder, without a server: nothing in it asks for anything outside that folder, and
all text of a submission is text only. Scripts add sorting, filtering and the layout of the graph;
without them the pages still tell everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...model.drawing import Drawing
from ...model.verdict import in_order, status_of
from ..document import CheckEntry, Document, FindingEntry, SubmissionEntry
from ..feedback import (
    Tone,
    first_fault,
    hidden_checks,
    is_judged,
    reproducer,
    shared_faults,
    shown_entry,
    tone,
)
from .drawings import as_hinted, graph, line_name, short, wrong_lines
from .site import HERE, STUDENT_SCRIPTS, Site, blocks, line_id, notes_by_line, page_names

BINS = 10
"""Columns of the distribution of scores."""


def files(document: Document, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, bytes]]:
    """The files of the report, as (relative path, content); `drawings` by path of the entry.

    The document must have been through `apply_hints`: the pages mark what its findings point at,
    and of the drawings no more than its settings allow.
    """
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
    drawings, and nothing of it is another student's, not even the name of a page.
    """
    entry = shown_entry(whole)
    hints = "none" if hidden_checks(whole) else document.settings.hints
    drawing = as_hinted(drawing or Drawing(()), hints)
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
