"""The computation graph for a page: data for the layout in the browser, and rows for a table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ...messages import say
from ...model.drawing import Drawing, DrawnLine, DrawnNode
from ..document import CheckEntry
from ..feedback import tone
from ..text import place_label
from .charts import short
from .source import line_id

TITLE = 16
"""Characters of a name in a node."""
FAULTY_CHECKS = frozenset({"gradient", "manual-forward"})
"""A line that a fault of these, or the faulty line of any check, points at is marked as wrong."""


class NodeRow(Struct, frozen=True):
    """A node in the table: what the graph shows of it, in words."""

    id: str
    name: str
    op: str
    line: str
    href: str | None
    part: str
    reads: str
    marks: tuple[str, ...]


class Graph(Struct, frozen=True):
    """`data` is for the script; `first_nodes` has the first node of a line, by the line's id."""

    rows: tuple[NodeRow, ...]
    data: dict[str, Any]
    first_nodes: dict[str, str]


def as_hinted(drawing: Drawing, hints: str) -> Drawing:
    """The drawing with what hints allow: with `none` nothing is marked, and no last use shown."""
    if hints != "none":
        return drawing
    forward = max((n for n, node in enumerate(drawing.nodes) if node.part == "forward"), default=0)
    nodes = tuple(
        msgspec.structs.replace(
            node,
            late=False,
            part=("forward" if n < forward else "backward") if node.part == "unused" else node.part,
        )
        for n, node in enumerate(drawing.nodes)
    )
    lives = tuple(
        msgspec.structs.replace(life, used=life.ended, tail="none") for life in drawing.lives
    )
    return msgspec.structs.replace(drawing, nodes=nodes, lives=lives)


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
    rows: list[NodeRow] = []
    first: dict[str, str] = {}
    shown: list[dict[str, Any]] = []
    edges: list[tuple[str, str]] = []
    read = {leaf for node in drawing.nodes for leaf in node.leaves}
    for leaf in sorted(leaf for leaf in read if leaf < len(drawing.leaves)):
        name = short(drawing.leaves[leaf], TITLE)
        shown.append({"id": f"leaf{leaf}", "kind": "leaf", "lines": [name], "label": name})
    for number, node in enumerate(drawing.nodes):
        row = _row(drawing, number, node, wrong)
        rows.append(row)
        if node.at is not None:
            first.setdefault(line_id(node.at), row.id)
        shown.append(_shown(row, node, node.at in wrong))
        edges += [(f"node{source}", row.id) for source in node.sources]
        edges += [(f"leaf{leaf}", row.id) for leaf in node.leaves if leaf in read]
    for number, target in enumerate(drawing.targets):
        if target.sources:
            id = f"target{number}"
            shown.append(
                {"id": id, "kind": "target", "lines": [target.label], "label": target.label}
            )
            edges += [(f"node{source}", id) for source in target.sources]
    return Graph(tuple(rows), {"nodes": shown, "edges": edges}, first)


def line_name(at: DrawnLine | None) -> str:
    """A line in words."""
    return "" if at is None else place_label(at.line, at.cell)


def _row(drawing: Drawing, number: int, node: DrawnNode, wrong: Collection[DrawnLine]) -> NodeRow:
    marks = []
    if node.at is not None and node.at in wrong:
        marks.append(say("wrong line"))
    if node.part == "unused":
        marks.append(say("unused"))
    if node.late:
        marks.append(say("kept too long"))
    reads = [short(drawing.nodes[n].name or drawing.nodes[n].op, 40) for n in node.sources]
    reads += [short(drawing.leaves[n], 40) for n in node.leaves if n < len(drawing.leaves)]
    return NodeRow(
        f"node{number}",
        short(node.name or "", 80),
        short(node.op, 80),
        line_name(node.at),
        None if node.at is None else f"#{line_id(node.at)}",
        _part(node.part),
        ", ".join(reads),
        tuple(marks),
    )


def _part(part: str) -> str:
    return {
        "forward": say("forward"),
        "backward": say("backward"),
        "unused": say("reaches nothing"),
    }.get(part, say("beside the data flow"))


def _shown(row: NodeRow, node: DrawnNode, wrong: bool) -> dict[str, Any]:
    title = short(row.name or row.op, TITLE)
    place = "" if node.at is None else f":{node.at.line}"
    second = f"{row.op} {place}".strip() if row.name else place
    lines = [title, short(second, TITLE + 4)]
    if row.marks:
        lines.append(
            row.marks[0] if len(row.marks) == 1 else f"{row.marks[0]} +{len(row.marks) - 1}"
        )
    described = [row.name, row.op, row.line, row.part, *row.marks]
    return {
        "id": row.id,
        "kind": "wrong" if wrong else node.part,
        "late": node.late,
        "lines": lines,
        "href": row.href,
        "label": ", ".join(filter(None, described)),
    }
