"""The drawings of a student's page: the computation graph and the live ranges, as its templates and
its script take them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...messages import say
from ...model.drawing import Drawing, DrawnLife, DrawnLine
from ..document import CheckEntry
from ..feedback import tone
from ..text import place_label, visible
from .source import line_id

TITLE, LABEL = 16, 17
"""Characters of a name in a node, and before a live range."""
FAULTY_CHECKS = frozenset({"gradient", "manual-forward"})
"""A line that a fault of these, or the faulty line of any check, points at is marked as wrong."""
TICKS, LEVELS = 18, 4
"""Labels on the axes of the live ranges, at most: of lines, and of numbers of values."""


def short(label: str, limit: int) -> str:
    """A name in one line of at most `limit` characters."""
    label = visible(label).replace("\n", " ")
    return label if len(label) <= limit else f"{label[: limit - 1]}…"


def line_name(at: DrawnLine | None) -> str:
    """A line in words."""
    return "" if at is None else place_label(at.line, at.cell)


def as_hinted(drawing: Drawing, hints: str) -> Drawing:
    """The drawing with what hints allow: with `none` nothing is marked, and no last use shown."""
    if hints != "none":
        return drawing
    forward = max((n for n, node in enumerate(drawing.nodes) if node.part == "forward"), default=0)
    nodes = []
    for number, node in enumerate(drawing.nodes):
        part = node.part
        if part == "unused":
            part = "forward" if number < forward else "backward"
        nodes.append(replace(node, late=False, part=part))
    lives = tuple(replace(life, used=life.ended, tail="none") for life in drawing.lives)
    return replace(drawing, nodes=tuple(nodes), lives=lives)


# -- the computation graph ------------------------------------------------------------------------


class Graph(Struct, frozen=True):
    """`rows` are the nodes, for a table; `data` is all that the script draws; `first_nodes` has the
    first node of a line, by the line's id."""

    rows: list[dict[str, Any]]
    data: dict[str, Any]
    first_nodes: dict[str, str]


def wrong_lines(checks: Sequence[CheckEntry]) -> set[DrawnLine]:
    """The lines that compute something wrong, as far as findings say so."""
    return {
        DrawnLine(finding.cell, finding.line)
        for check in checks
        for finding in check.findings
        if finding.line is not None
        and tone(finding, check.findings) == "fault"
        and (finding.kind == "faulty-line" or check.id in FAULTY_CHECKS)
    }


def graph(drawing: Drawing, wrong: Collection[DrawnLine]) -> Graph:
    """The graph of a drawing, hints already applied."""
    rows = [_row(drawing, number, wrong) for number in range(len(drawing.nodes))]
    first_nodes: dict[str, str] = {}
    edges: list[tuple[str, str]] = []
    others = []
    read = {n for node in drawing.nodes for n in node.leaves if n < len(drawing.leaves)}
    for leaf in sorted(read):
        name = short(drawing.leaves[leaf], TITLE)
        others.append({"id": f"leaf{leaf}", "kind": "leaf", "lines": [name], "label": name})
    for row, node in zip(rows, drawing.nodes, strict=True):
        if node.at is not None:
            first_nodes.setdefault(line_id(node.at), row["id"])
        edges += [(f"node{source}", row["id"]) for source in node.sources]
        edges += [(f"leaf{leaf}", row["id"]) for leaf in node.leaves if leaf in read]
    for number, target in enumerate(drawing.targets):
        if target.sources:
            id, name = f"target{number}", target.label
            others.append({"id": id, "kind": "target", "lines": [name], "label": name})
            edges += [(f"node{source}", id) for source in target.sources]
    return Graph(rows, {"nodes": [*others, *rows], "edges": edges}, first_nodes)


def _row(drawing: Drawing, number: int, wrong: Collection[DrawnLine]) -> dict[str, Any]:
    """What the table and the graph show of a node."""
    node = drawing.nodes[number]
    is_wrong = node.at is not None and node.at in wrong
    marks = [
        *([say("wrong line")] if is_wrong else []),
        *([say("unused")] if node.part == "unused" else []),
        *([say("kept too long")] if node.late else []),
    ]
    parts: Mapping[str, str] = {
        "forward": say("forward"),
        "backward": say("backward"),
        "unused": say("reaches nothing"),
        "side": say("beside the data flow"),
    }
    name, op, line = short(node.name or "", 80), short(node.op, 80), line_name(node.at)
    reads = [drawing.nodes[n].name or drawing.nodes[n].op for n in node.sources]
    reads += [drawing.leaves[n] for n in node.leaves if n < len(drawing.leaves)]
    place = "" if node.at is None else f":{node.at.line}"
    lines = [short(name or op, TITLE), short(f"{op} {place}".strip() if name else place, TITLE + 4)]
    if marks:
        lines.append(marks[0] if len(marks) == 1 else f"{marks[0]} +{len(marks) - 1}")
    return {
        "id": f"node{number}",
        "kind": "wrong" if is_wrong else node.part,
        "late": node.late,
        "lines": lines,
        "label": ", ".join(filter(None, [name, op, line, parts[node.part], *marks])),
        "href": None if node.at is None else f"#{line_id(node.at)}",
        "name": name,
        "op": op,
        "line": line,
        "part": parts[node.part],
        "reads": ", ".join(short(text, 40) for text in reads),
        "marks": marks,
    }


# -- live ranges ----------------------------------------------------------------------------------


class Chart(Struct, frozen=True):
    """Live ranges over the steps, with a label each, and what stands on the axes: of some steps the
    number of the line, and some numbers of live values up to `most`."""

    lives: list[tuple[str, DrawnLife]]
    steps: int
    ticks: list[tuple[int, int]]
    levels: list[int]
    most: int
    autograd_most: int


def chart(drawing: Drawing) -> Chart | None:
    """The chart of a drawing; None if nothing lived."""
    steps = len(drawing.steps)
    if not steps or not drawing.lives:
        return None
    apart = -(-steps // TICKS)
    most = max([1, *drawing.live])
    return Chart(
        lives=[(short(life.label, LABEL), life) for life in drawing.lives],
        steps=steps,
        ticks=[(n, drawn.line) for n in range(0, steps, apart) if (drawn := drawing.steps[n])],
        levels=list(range(0, most + 1, -(-most // LEVELS))),
        most=most,
        autograd_most=drawing.autograd_peak,
    )
