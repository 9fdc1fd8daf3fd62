"""The page of a submission: what to fix first, its source with findings, its checks, its graph, its
live ranges."""

from __future__ import annotations

from ...model.drawing import Drawing
from ..document import Document
from ..feedback import hidden_checks, is_judged, reproducer, shown_entry
from .charts import SIDE, chart
from .findings import first_fault, grouped
from .graph import as_hinted, graph, line_name, wrong_lines
from .site import STUDENT_SCRIPTS, Site
from .source import blocks, line_of, notes_by_line


def page(site: Site, document: Document, number: int, drawing: Drawing | None) -> bytes:
    """The page of submission `number`.

    It may be handed on: what the rubric hides from students is not on it, nor marked in drawings, and
    nothing of it is another student's, not even the name of a page.
    """
    whole = document.submissions[number]
    entry = shown_entry(whole)
    hints = "none" if hidden_checks(whole) else document.settings.hints
    drawing = as_hinted(drawing or Drawing(()), hints)
    drawn = graph(drawing, wrong_lines(entry.checks))
    notes = notes_by_line(entry.checks)
    source = blocks(drawing.fragments, notes, drawn.first_nodes)
    lines = {line.id for block in source for line in block.lines}
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
        line_ids=lines,
        graph=drawn,
        chart=chart(drawing),
        side=SIDE,
        line_name=line_name,
        line_of=line_of,
        reproducers={check.id: code for check in entry.checks
                     if (code := reproducer(check.details, check.findings)) and document.settings.hints != "none"},
    )  # fmt: skip
