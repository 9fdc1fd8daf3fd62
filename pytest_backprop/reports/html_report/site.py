"""What all pages share: templates, names of files, what a browser may do with them; and a
submission's text as lines of a page, coloured, with findings in the margin."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from ...messages import language, place_label, say, say_count
from ...model.drawing import Fragment
from ...model.verdict import ORIGINS, in_order
from ..document import CheckEntry, Document, FindingEntry
from ..feedback import Tone, tone
from ..text import decimal, in_words, unused, variant_label, visible

HERE = Path(__file__).parent

STUDENT_SCRIPTS = ("../assets/viz.js", "../assets/student.js")


class Site:
    """Renders templates with everything escaped, and with a policy that leaves a page no freedom:
    one inline script, known by its hash, loads ours; nothing else runs, and nothing is sent."""

    def __init__(self, *templates: Path) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader([HERE / "templates", *templates]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "say": say,
            "say_count": say_count,
            "language": language,
            "variant_label": variant_label,
            "place_label": place_label,
            "in_words": in_words,
            "ORIGINS": ORIGINS,
        }
        self._templates.filters |= {"points": functools.partial(decimal, places=2), "prose": prose}

    def render(self, template: str, scripts: tuple[str, ...], **values: object) -> bytes:
        """A page as UTF-8."""
        loader = self._templates.get_template("loader.js.jinja").render(scripts=scripts)
        digest = hashlib.sha256(loader.encode()).digest()
        text = self._templates.get_template(template).render(
            values,
            root="../" if scripts == STUDENT_SCRIPTS else "",
            loader=loader,
            loader_hash=base64.b64encode(digest).decode(),
            wasm=scripts == STUDENT_SCRIPTS,
        )
        return text.encode()

    def fragment(self, template: str, **values: object) -> str:
        """A piece of a page, for what has a page around it."""
        return self._templates.get_template(template).render(values)


def prose(text: str) -> Markup:
    """A sentence of ours as HTML: what stands in backticks is code. What a student can influence in
    it is escaped first, and a pair of backticks of theirs can make code and nothing else."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def page_names(document: Document) -> list[str]:
    """For each submission the file of its page: readable, the same in every run, and unique."""
    names: list[str] = []
    taken: set[str] = set()
    for entry in document.submissions:
        plain = re.sub(r"[^A-Za-z0-9]+", "-", entry.path).strip("-")[-40:].strip("-")
        digest = hashlib.sha256(entry.path.encode()).hexdigest()[:10]
        names.append(unused(f"students/{plain}-{digest}", ".html", taken))
    return names


# -- source ---------------------------------------------------------------------------------------


class Note(NamedTuple):
    """A finding in the margin, the check it belongs to, and how it is marked."""

    check: str
    finding: FindingEntry
    tone: Tone


class SourceLine(NamedTuple):
    """A line: its number, its id on the page, its text as HTML, its notes.

    `node` is the id of the first node of the graph that it made, None if it made none."""

    number: int
    id: str
    code: Markup
    notes: Sequence[Note]
    node: str | None


class Block(NamedTuple):
    """A cell of a notebook, or a stretch of a file, whose `cell` is None. A cell that is not `open`
    has nothing to mend, and is shown folded."""

    cell: int | None
    lines: Sequence[SourceLine]
    open: bool


def line_id(cell: int | None, line: int | None, file: str | None = None) -> str:
    """The id of a line on its page; what no line has where it is in another `file`, which the page
    does not show."""
    if file:
        return f"{file}:{line}"
    return f"L{line}" if cell is None else f"C{cell}L{line}"


def notes_by_line(checks: Sequence[CheckEntry]) -> dict[str, list[Note]]:
    """Findings that have a place, by the line's id; what several checks say alike stands once."""
    by_line: dict[str, list[Note]] = {}
    for check in checks:
        for finding in in_order(check.findings):
            if finding.line is not None:
                notes = by_line.setdefault(line_id(finding.cell, finding.line, finding.file), [])
                if all(note.finding.message != finding.message for note in notes):
                    notes.append(Note(check.id, finding, tone(finding, check.findings)))
    return by_line


def blocks(
    fragments: Sequence[Fragment], notes: Mapping[str, Sequence[Note]], nodes: Mapping[str, str]
) -> list[Block]:
    """The source for the page; `notes` and `nodes` have, by a line's id, what is said of it and its
    first node."""
    of_source = []
    for fragment in fragments:
        lines = []
        for number, code in enumerate(_coloured(fragment.lines), fragment.first):
            id = line_id(fragment.cell, number)
            lines.append(SourceLine(number, id, code, notes.get(id, ()), nodes.get(id)))
        of_source.append(lines)
    # where nothing is marked the pass is what there is to see, or all of what did not run
    marked = [any(line.notes for line in lines) for lines in of_source]
    of_pass = [any(line.node for line in lines) for lines in of_source]
    opened = next(filter(any, (marked, of_pass)), [True] * len(of_source))
    return [
        Block(fragment.cell, lines, is_open)
        for fragment, lines, is_open in zip(fragments, of_source, opened, strict=True)
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
