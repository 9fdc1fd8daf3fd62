"""The page of a submission: what to fix first, its source with findings, its checks, its graph, its
live ranges."""

from __future__ import annotations

from ...model.drawing import Drawing
from ...model.verdict import in_order
from ..document import CheckEntry, Document, FindingEntry, SubmissionEntry
from ..feedback import Tone, hidden_checks, is_judged, reproducer, shown_entry, tone
from .drawings import as_hinted, chart, graph, line_name, wrong_lines
from .site import STUDENT_SCRIPTS, Site
from .source import blocks, line_of, notes_by_line


def page(site: Site, document: Document, number: int, drawing: Drawing | None) -> bytes:
    """The page of submission `number`.

    It may be handed on: what the rubric hides from students is not on it, nor marked in drawings,
    and nothing of it is another student's, not even the name of a page.
    """
    whole = document.submissions[number]
    entry = shown_entry(whole)
    hints = "none" if hidden_checks(whole) else document.settings.hints
    drawing = as_hinted(drawing or Drawing(()), hints)
    nodes = graph(drawing, wrong_lines(entry.checks))
    source = blocks(drawing.fragments, notes_by_line(entry.checks), nodes.first_nodes)
    reproducers = {c.id: reproducer(c.details, c.findings) for c in entry.checks}
    return site.render(
        "student.html.jinja",
        STUDENT_SCRIPTS,
        document=document,
        entry=entry,
        is_judged=is_judged,
        hints=hints,
        first=first_fault(entry),
        grouped=grouped,
        drawing=drawing,
        source=source,
        line_ids={line.id for block in source for line in block.lines},
        graph=nodes,
        chart=chart(drawing),
        line_name=line_name,
        line_of=line_of,
        reproducers={} if document.settings.hints == "none" else reproducers,
    )


def first_fault(entry: SubmissionEntry) -> tuple[CheckEntry, FindingEntry | None] | None:
    """What to fix first, as it explains most of the lost points: a check, and its finding, if it
    has one that is a fault. None if no check that was judged lost points."""
    faulty = [check for check in entry.checks if check.outcome in ("failed", "partial")]
    if not faulty:
        return None
    # a breach explains the zeroes before it
    check = next((check for check in faulty if check.id == "integrity"), faulty[0])
    findings = in_order(check.findings)
    return check, next((f for f in findings if tone(f, findings) == "fault"), None)


def grouped(check: CheckEntry) -> list[tuple[str, Tone, list[FindingEntry]]]:
    """The findings of a check by kind and tone, in the order in which a student should read
    them."""
    groups: dict[tuple[str, Tone], list[FindingEntry]] = {}
    for finding in in_order(check.findings):
        groups.setdefault((finding.kind, tone(finding, check.findings)), []).append(finding)
    return [(kind, tone, findings) for (kind, tone), findings in groups.items()]
