"""Finds where a pass calculates its value once more with something else in the place of leaves, by how it is
written: whatever number of leaves is moved at once, and whatever to."""

from __future__ import annotations

from ...trace.graph import DataFlow
from ...trace.lowering import walk
from ...trace.scalar_nodes import Node

LEAST = 3
"""Calculations of a value; of fewer, many a term of a derivative has the form."""
MOST = 2_000
"""Pairs of nodes that are held against each other for one copy."""
COMMUTES = frozenset({"add", "mul"})


def repeated(flow: DataFlow) -> frozenset[tuple[int, int]]:
    """The elements of what ops make, as (position, element), that are the result's own calculation with other
    operands in place of some of its leaves, though not of all. None where a recording cannot be taken apart, and for
    a result of several numbers."""
    walked = walk(flow)
    try:
        result = walked.results().result
    except LookupError:
        return frozenset()
    if result is None or len(set(result)) != 1:
        return frozenset()
    root, nodes = result[0], walked.nodes
    below = _below(nodes, root)
    if sum(bool(nodes[node].operands) for node in below) < LEAST:
        return frozenset()
    copies = {
        node
        for node in range(len(nodes))
        if node not in below
        and nodes[node].code == nodes[root].code
        and _Copy(nodes).of(root, node)
    }
    return frozenset(
        (position, element)
        for position, made in walked.makes.items()
        for element, node in enumerate(made)
        if node in copies
    )


def _below(nodes: list[Node], root: int) -> set[int]:
    found, todo = {root}, [root]
    while todo:
        more = set(nodes[todo.pop()].operands) - found
        found |= more
        todo += more
    return found


class _Copy:
    """What stands for each leaf where a node is calculated again."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._tried = 0
        self._put: dict[int, int] = {}

    def of(self, root: int, node: int) -> bool:
        """Whether the node is the root with something else in place of some of the leaves."""
        return self._matches(root, node) and any(a == b for a, b in self._put.items())

    def _matches(self, one: int, other: int) -> bool:
        self._tried += 1
        mine, its = self._nodes[one], self._nodes[other]
        if mine.code == "leaf":
            return self._put.setdefault(one, other) == other
        if one == other:
            return all(self._matches(a, a) for a in mine.operands)
        same = (mine.code, mine.number, mine.name) == (its.code, its.number, its.name)
        if not same or len(mine.operands) != len(its.operands) or self._tried > MOST:
            return False
        orders = [its.operands]
        if mine.code in COMMUTES:
            orders.append(its.operands[::-1])
        for order in orders:
            before = self._put.copy()
            if all(self._matches(a, b) for a, b in zip(mine.operands, order, strict=True)):
                return True
            self._put = before
        return False
