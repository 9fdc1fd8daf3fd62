"""The drawings of a student's page, as hints allow them, and the computation graph as its template
and its script take it; laid out in rows, too, for what shows it without a script."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from graphlib import TopologicalSorter
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
    """What `drawings.graph` gave, each node below those that it reads, near them."""
    nodes = {node["id"]: node for node in graph["nodes"]}
    edges = list(dict.fromkeys(graph["edges"]))
    rank = _ranks(list(nodes), edges)
    chains = _chains(edges, rank)
    size = {id: _size(node) for id, node in nodes.items()}
    width = {point: size[point][0] if point in size else 2.0 for point in rank}
    layers: list[list[Any]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for point, row in rank.items():
        layers[row].append(point)
    x = _across(layers, chains, width)
    y, bottom = _down(layers, size)
    placed = [Placed(node, x[id], y[rank[id]], *size[id]) for id, node in nodes.items()]
    curves = [
        _curve(
            [(x[point], y[rank[point]]) for point in chain],
            size[chain[0]][1] / 2,
            size[chain[-1]][1] / 2,
        )
        for chain in chains
    ]
    right = max((each.x + each.width / 2 for each in placed), default=0.0)
    return Rows(placed, curves, right, bottom)


def _size(node: Mapping[str, Any]) -> tuple[float, float]:
    longest = max(map(len, node["lines"]))
    return max(34.0, longest * CHARACTER + 16), len(node["lines"]) * LINE + 10.0


def _ranks(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[Any, int]:
    """The row of each node: below all that it reads; what reads nothing right above its first
    reader."""
    above: dict[str, list[str]] = {id: [] for id in ids}
    below: dict[str, list[str]] = {id: [] for id in ids}
    for tail, head in edges:
        above[head].append(tail)
        below[tail].append(head)
    rank: dict[Any, int] = {}
    for id in TopologicalSorter(above).static_order():
        rank[id] = max((rank[each] + 1 for each in above[id]), default=0)
    for id in ids:
        if not above[id] and below[id]:
            rank[id] = max(0, min(rank[each] for each in below[id]) - 1)
    return rank


def _chains(edges: Sequence[tuple[str, str]], rank: dict[Any, int]) -> list[list[Any]]:
    """Each edge as the points that it passes, one a row, which get their rows in `rank`."""
    bends = sum(rank[head] - rank[tail] - 1 for tail, head in edges)
    chains = []
    for tail, head in edges:
        between = range(rank[tail] + 1, rank[head]) if bends <= MOST_BENDS else ()
        points = [(tail, head, row) for row in between]
        rank.update((point, point[2]) for point in points)
        chains.append([tail, *points, head])
    return chains


def _across(
    layers: list[list[Any]], chains: Sequence[Sequence[Any]], width: Mapping[Any, float]
) -> dict[Any, float]:
    """The middle of each point: near those that it is joined with, in an order with few
    crossings."""
    near: dict[Any, list[Any]] = {point: [] for layer in layers for point in layer}
    for chain in chains:
        for one, other in itertools.pairwise(chain):
            near[one].append(other)
            near[other].append(one)
    row = {point: number for number, layer in enumerate(layers) for point in layer}
    x: dict[Any, float] = {}
    for layer in layers:
        _spread(layer, dict.fromkeys(layer, 0.0), width, x)
    for sweep in range(SWEEPS):
        is_down = sweep % 2 == 0
        for layer in layers if is_down else reversed(layers):
            wanted = {}
            for point in layer:
                side = [o for o in near[point] if (row[o] < row[point]) == is_down]
                own = near[point] if sweep >= SWEEPS - 2 else side
                wanted[point] = sum(x[o] for o in own) / len(own) if own else x[point]
            layer.sort(key=lambda point: wanted[point])
            _spread(layer, wanted, width, x)
    left = min((x[point] - width[point] / 2 for point in x), default=0.0)
    return {point: at - left for point, at in x.items()}


def _spread(
    layer: Sequence[Any],
    wanted: Mapping[Any, float],
    width: Mapping[Any, float],
    x: dict[Any, float],
) -> None:
    """Places the points of a row in their order, as near to where they are wanted as they can
    be."""
    groups: list[tuple[float, list[Any], float]] = []  # its middle, its points, its width
    for point in layer:
        middle, points, wide = wanted[point], [point], width[point]
        while groups and groups[-1][0] + groups[-1][2] / 2 + APART > middle - wide / 2:
            other, first, before = groups.pop()
            count, all_points = len(points), [*first, *points]
            # each pulls as one: the middle of the whole is where its points want it on average
            middle = (other * len(first) + middle * count) / len(all_points)
            points, wide = all_points, before + APART + wide
        groups.append((middle, points, wide))
    for middle, points, wide in groups:
        at = middle - wide / 2
        for point in points:
            x[point] = at + width[point] / 2
            at += width[point] + APART


def _down(
    layers: Sequence[Sequence[Any]], size: Mapping[Any, tuple[float, float]]
) -> tuple[list[float], float]:
    """The middle of each row, and where the last ends."""
    middles, top = [], 0.0
    for layer in layers:
        height = max((size[point][1] for point in layer if point in size), default=0.0)
        middles.append(top + height / 2)
        top += height + BELOW
    return middles, max(0.0, top - BELOW)


def _curve(points: Sequence[tuple[float, float]], start: float, end: float) -> str:
    """A curve through points, from below the first to above the last."""
    (x, y), *others = points
    y += start
    path = f"M{x:.1f} {y:.1f}"
    for number, (to_x, to_y) in enumerate(others, 1):
        if number == len(others):
            to_y -= end
        half = (to_y - y) / 2
        path += f"C{x:.1f} {y + half:.1f} {to_x:.1f} {to_y - half:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    return path
