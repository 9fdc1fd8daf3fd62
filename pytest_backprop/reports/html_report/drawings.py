"""The drawings of a student's page, as hints allow them, and the computation graph as its template
and its script take it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ...messages import place_label, say
from ...model.drawing import Drawing, DrawnLine
from ...model.verdict import bare
from ..document import CheckEntry
from ..feedback import tone
from ..terminal import fitted
from ..text import one_line
from .site import line_id

TITLE = 16
"""Characters of a name in a node."""
FAULTY_CHECKS = frozenset({"gradient", "manual-forward"})
"""A line that a fault of these, or the faulty line of any check, points at is marked as wrong."""


def short(label: str, limit: int) -> str:
    """A name in one line of at most `limit` characters."""
    return fitted(one_line(label), limit)


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


def wrong_lines(checks: Sequence[CheckEntry]) -> set[str]:
    """The ids of lines that compute something wrong, as far as findings say so."""
    return {
        line_id(finding.cell, finding.line, finding.file)
        for check in checks
        for finding in check.findings
        if finding.line is not None
        and tone(finding, check.findings) == "fault"
        and (finding.kind == "faulty-line" or bare(check.id) in FAULTY_CHECKS)
    }


def graph(drawing: Drawing, wrong: Collection[str]) -> dict[str, list[Any]]:
    """The nodes, those of ops last, and the edges of a drawing, hints already applied."""
    ops = [_node(drawing, number, wrong) for number in range(len(drawing.nodes))]
    others = []
    for leaf in sorted({leaf for node in drawing.nodes for leaf in node.leaves}):
        name = short(drawing.leaves[leaf], TITLE)
        others.append({"id": f"leaf{leaf}", "kind": "leaf", "lines": [name], "label": name})
    edges = []
    for number, node in enumerate(drawing.nodes):
        edges += [(f"node{source}", f"node{number}") for source in node.sources]
        edges += [(f"leaf{leaf}", f"node{number}") for leaf in node.leaves]
    for number, target in enumerate(drawing.targets):
        if target.sources:
            id, name = f"target{number}", target.label
            others.append({"id": id, "kind": "target", "lines": [name], "label": name})
            edges += [(f"node{source}", id) for source in target.sources]
    return {"nodes": [*others, *ops], "edges": edges}


def _node(drawing: Drawing, number: int, wrong: Collection[str]) -> dict[str, Any]:
    """What the table and the graph show of an op."""
    node = drawing.nodes[number]
    id = None if node.at is None else line_id(node.at.cell, node.at.line)
    is_wrong = id in wrong
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
    reads += [drawing.leaves[n] for n in node.leaves]
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
        "href": id and f"#{id}",
        "name": name,
        "op": op,
        "line": line,
        "part": parts[node.part],
        "reads": ", ".join(short(text, 40) for text in reads),
        "marks": marks,
    }
