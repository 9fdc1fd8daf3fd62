"""A computation graph laid out in rows, for what shows it without a script."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
    waiting = {id: len(above[id]) for id in ids}
    free = [id for id in ids if not waiting[id]]
    for id in free:  # it grows
        rank[id] = max((rank[each] + 1 for each in above[id]), default=0)
        for each in below[id]:
            waiting[each] -= 1
            if not waiting[each]:
                free.append(each)
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
