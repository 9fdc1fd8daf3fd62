"""The drawings of a student's page, as hints allow them, and the computation graph as its template
and its script take it; laid out in rows, too, for what shows it without a script."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from statistics import fmean
from typing import Any, NamedTuple

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


def as_hinted(drawing: Drawing, hints: str, checks: Sequence[CheckEntry]) -> Drawing:
    """The drawing with what hints allow: with `none` nothing is marked, and no last use shown; of a
    pass without a check of release nothing is marked as kept too long."""
    if hints != "none":
        release = f"{drawing.part}/release" if drawing.part else "release"
        if any(check.id == release for check in checks):
            return drawing
        freed = tuple(replace(n, late=False) for n in drawing.nodes)
        kept = (replace(x, tail="kept") if x.tail == "late" else x for x in drawing.lives)
        return replace(drawing, nodes=freed, lives=tuple(kept))
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


# -- in rows --------------------------------------------------------------------------------------

CHARACTER, LINE = 7.3, 14
"""Pixels that a letter of a node is wide, and a line of it high."""
APART, BELOW = 14.0, 26.0
"""Pixels between nodes of a row, and between rows."""
SWEEPS = 12
MOST_BENDS = 4_000
"""Points at which edges pass rows; where there were more, they run straight."""


class Placed(NamedTuple):
    """A node, its middle, and its size."""

    node: Mapping[str, Any]
    x: float
    y: float
    width: float
    height: float


class Rows(NamedTuple):
    """A graph as it is drawn: its nodes, the edges as curves of SVG, and its size."""

    nodes: Sequence[Placed]
    edges: Sequence[str]
    width: float
    height: float


def rows(graph: Mapping[str, Sequence[Any]]) -> Rows:
    """What `graph` gave, each node below all that it reads, and near what it is joined with. An
    edge over several rows has a point in each, which takes room as a node does."""
    nodes: dict[Any, Any] = {node["id"]: node for node in graph["nodes"]}
    edges = list(dict.fromkeys(graph["edges"]))
    rank = _ranks(nodes, edges)
    bends = sum(rank[head] - rank[tail] - 1 for tail, head in edges)
    chains: list[list[Any]] = []
    for tail, head in edges:
        between = range(rank[tail] + 1, rank[head]) if bends <= MOST_BENDS else ()
        chains.append([tail, *((tail, head, row) for row in between), head])
    rank |= {point: point[2] for chain in chains for point in chain[1:-1]}
    joined: dict[Any, list[Any]] = {point: [] for point in rank}
    for one, other in (pair for chain in chains for pair in itertools.pairwise(chain)):
        joined[one].append(other)
        joined[other].append(one)
    lines = {point: nodes[point]["lines"] if point in nodes else [] for point in rank}
    widths = {
        p: max(34.0, max(map(len, own)) * CHARACTER + 16) if own else 2.0
        for p, own in lines.items()
    }
    layers = [[p for p in rank if rank[p] == n] for n in range(max(rank.values(), default=-1) + 1)]
    x = dict.fromkeys(rank, 0.0)
    for sweep in range(SWEEPS):
        for layer in layers[:: (-1) ** sweep]:
            _place(
                layer, {p: fmean([x[each] for each in joined[p] or [p]]) for p in layer}, widths, x
            )
    left = min((x[point] - widths[point] / 2 for point in rank), default=0.0)
    y, top, placed = dict.fromkeys(rank, 0.0), 0.0, {}
    for layer in layers:
        height = max(len(lines[point]) for point in layer) * LINE + 10.0
        for point in layer:
            x[point], y[point] = x[point] - left, top + height / 2
            if point in nodes:
                own = len(lines[point]) * LINE + 10.0
                placed[point] = Placed(nodes[point], x[point], y[point], widths[point], own)
        top += height + BELOW
    curves = []
    for chain in chains:
        tail, head = placed[chain[0]], placed[chain[-1]]
        inner = [(x[point], y[point]) for point in chain[1:-1]]
        start, end = tail.y + tail.height / 2, head.y - head.height / 2
        curves.append(_curve([(tail.x, start), *inner, (head.x, end)]))
    right = max((x[point] + widths[point] / 2 for point in rank), default=0.0)
    return Rows([placed[id] for id in nodes], curves, right, max(0.0, top - BELOW))


def _ranks(nodes: Iterable[Any], edges: Sequence[tuple[Any, Any]]) -> dict[Any, int]:
    """The row of each node: below all that it reads; what reads nothing right above its first
    reader."""
    above: dict[Any, list[Any]] = {id: [tail for tail, head in edges if head == id] for id in nodes}
    rank: dict[Any, int] = {}
    for id in TopologicalSorter(above).static_order():
        rank[id] = max((rank[each] + 1 for each in above[id]), default=0)
    first = {id: [rank[head] for tail, head in edges if tail == id] for id in nodes}
    return {id: min(first[id]) - 1 if first[id] and not above[id] else rank[id] for id in nodes}


def _place(
    layer: list[Any], wanted: Mapping[Any, float], widths: Mapping[Any, float], x: dict[Any, float]
) -> None:
    """Orders the points of a row by where they are wanted, and places them there, apart from each
    other, as a whole no further left or right than that."""
    layer.sort(key=wanted.__getitem__)
    end = -math.inf
    for point in layer:
        x[point] = max(wanted[point], end + widths[point] / 2)
        end = x[point] + widths[point] / 2 + APART
    off = fmean([x[point] - wanted[point] for point in layer])
    x |= {point: x[point] - off for point in layer}


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A curve through points."""
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (to_x, to_y) in itertools.pairwise(points):
        half = (y + to_y) / 2
        path += f"C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"
    return path
