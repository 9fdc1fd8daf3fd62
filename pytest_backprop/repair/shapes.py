"""How the lines of a pass look: the shape of an expression is its operations, with all that it reads alike.

Who writes a pass writes it line by line in a few forms, `g * t`, `a + b`, `-g`. A line with a slip often
has a form of its own, and so has a line that is right and was changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ..trace.scalar_nodes import Node
from .bench import Bench
from .edits import Tree

READ = 0
"""The shape of whatever is only read: a name, a weight, a number. Others are numbered as they come."""


class Shapes:
    """Of the expressions that have a name. One is told apart from another by its number."""

    def __init__(self, nodes: Sequence[Node], named: Collection[int], bench: Bench) -> None:
        self._nodes = nodes
        self._bench = bench
        self._known: dict[tuple[str | int, ...], int] = {}
        self._of: list[int] = []
        for node in nodes:
            parts = [self._operand(o) for o in node.operands]
            self._of.append(self._made(node.code, node.name, parts))
        self._named = {n for n in named if nodes[n].operands}
        self._count = Counter(self._of[n] for n in self._named)

    def more(self, n: int, tree: Tree) -> int:
        """How many more shapes the pass has when node `n` is what an edit writes; fewer, where negative."""
        nodes = self._nodes
        within, todo = {n}, [n]
        while todo:
            m = todo.pop()
            if nodes[m].bound is None:
                above = set(self._bench.readers(m)) - within
                todo += above
                within |= above
        new = {n: self._written(tree, n)}
        for m in sorted(within - {n}):
            parts = [self._operand(o, new) for o in nodes[m].operands]
            new[m] = self._made(nodes[m].code, nodes[m].name, parts)
        change: Counter[int] = Counter()
        for m in within & self._named:
            change[new[m]] += 1
            change[self._of[m]] -= 1
        count = self._count
        return sum((count[s] + by > 0) - (count[s] > 0) for s, by in change.items())

    def _operand(self, o: int, new: Mapping[int, int] = MappingProxyType({})) -> int:
        """What has no name is part of the expression that reads it; a number that Python works out is one."""
        node = self._nodes[o]
        return READ if node.bound is not None or node.op < 0 else new.get(o, self._of[o])

    def _written(self, tree: Tree, n: int) -> int:
        code = tree[0]
        if code == "node":
            return self._of[n] if tree[1] == n else self._operand(tree[1])
        name = tree[1] if code == "call" else ""
        parts = [part for part in tree[1:] if isinstance(part, tuple)]
        return self._made(code, name, [self._written(part, n) for part in parts])

    def _made(self, code: str, name: str, parts: Sequence[int]) -> int:
        if code == "copy":
            return parts[0]
        if not parts:
            return READ
        return self._known.setdefault((code, name, *parts), len(self._known) + 1)
