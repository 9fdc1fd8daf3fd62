"""A submission's text as lines of a page: coloured, with findings in the margin at their lines."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from ...model.drawing import DrawnLine, Fragment
from ...model.verdict import in_order
from ..document import CheckEntry, FindingEntry
from ..feedback import Tone, tone
from ..text import visible


class Note(Struct, frozen=True):
    """A finding in the margin, the check it belongs to, and how it is marked."""

    check: str
    finding: FindingEntry
    tone: Tone


class SourceLine(Struct, frozen=True):
    """A line: its number, its id on the page, its text as HTML, its notes.

    `node` is the id of the first node of the graph that it made, None if it made none.
    """

    number: int
    id: str
    code: Markup
    notes: tuple[Note, ...]
    node: str | None

    @property
    def level(self) -> str:
        """`fault`, `note` or nothing: how the line is marked."""
        tones = {note.tone for note in self.notes}
        return next((tone for tone in ("fault", "note") if tone in tones), "")


class Block(Struct, frozen=True):
    """A cell of a notebook, or a stretch of a file, whose `cell` is None. A cell that is not `open`
    has nothing to mend, and is shown folded."""

    cell: int | None
    lines: tuple[SourceLine, ...]
    open: bool


def line_id(at: DrawnLine) -> str:
    """The id of a line on its page."""
    return f"L{at.line}" if at.cell is None else f"C{at.cell}L{at.line}"


def line_of(finding: FindingEntry) -> str | None:
    """The id of the line that a finding is at; None if it has no place."""
    return None if finding.line is None else line_id(DrawnLine(finding.cell, finding.line))


def notes_by_line(checks: Sequence[CheckEntry]) -> dict[tuple[int | None, int], list[Note]]:
    """Findings that have a place, by cell and line; what several checks say alike stands once."""
    by_line: dict[tuple[int | None, int], list[Note]] = {}
    for check in checks:
        for finding in in_order(check.findings):
            if finding.line is not None:
                notes = by_line.setdefault((finding.cell, finding.line), [])
                if all(note.finding.message != finding.message for note in notes):
                    notes.append(Note(check.id, finding, tone(finding, check.findings)))
    return by_line


def blocks(
    fragments: Sequence[Fragment],
    notes: Mapping[tuple[int | None, int], Sequence[Note]],
    nodes: Mapping[str, str],
) -> list[Block]:
    """The source for the page; `nodes` has the first node of a line, by the line's id."""
    of_source = []
    for fragment in fragments:
        lines = []
        for number, code in enumerate(_coloured(fragment.lines), fragment.first):
            id = line_id(DrawnLine(fragment.cell, number))
            here = tuple(notes.get((fragment.cell, number), ()))
            lines.append(SourceLine(number, id, code, here, nodes.get(id)))
        of_source.append(Block(fragment.cell, tuple(lines), any(line.notes for line in lines)))
    if any(block.open for block in of_source):
        return of_source
    # nothing is marked: then the pass is what there is to see, or all of what did not run
    of_pass = [any(line.node for line in block.lines) for block in of_source]
    return [
        replace(block, open=seen or not any(of_pass))
        for block, seen in zip(of_source, of_pass, strict=True)
    ]


@functools.lru_cache(maxsize=256)  # a course's notebooks share most of their cells
def _coloured(lines: tuple[str, ...]) -> tuple[Markup, ...]:
    # cleaned first, line by line: what hides or acts is then plain text, and no line is lost
    text = "".join(visible(line).replace("\n", "\\n") + "\n" for line in lines)
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    coloured = highlight(
        text, lexer, HtmlFormatter(nowrap=True)
    )  # it escapes, and ends spans at a line's end
    return tuple(map(Markup, coloured.split("\n")[:-1]))
