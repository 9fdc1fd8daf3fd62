"""From a place in a unit's text to the student's statement there."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator

from ..model import Span, Unit
from .parse import Placed, Position, assignments, end_of, node_span, start_of, tree_of, unpacked


class Statements:
    """The statements of one unit, by place; none of one that does not parse. Lines count from 1,
    columns in UTF-8 bytes from 0."""

    def __init__(self, unit: Unit, index: int = 0) -> None:
        self.index = index
        tree = tree_of(unit)
        # Half-open regions of text, sorted and apart from each other.
        self._sorted = sorted(self._regions(tree.body), key=lambda region: region[:2])
        self._starts = [start for start, _, _ in self._sorted]
        self._targets: dict[tuple[Position, Position], ast.expr] = {}
        """What is assigned to, by the place of the value. A value that is unpacked is of none."""
        for node in ast.walk(tree):
            if isinstance(node, ast.AugAssign):
                # Its operation has the whole statement's position.
                self._targets[start_of(node), end_of(node)] = node.target
            for target, assigned in list(assignments(node))[:1]:
                for to, value in unpacked(target, assigned):
                    values = [value]
                    while values and (part := values.pop()) is not None:
                        self._targets[start_of(part), end_of(part)] = to
                        values += [part.body, part.orelse] if isinstance(part, ast.IfExp) else []

    def at(self, line: int, column: int) -> Span | None:
        """The innermost simple statement at a place, or the header of the compound statement whose
        header is there, to the end of its last part: `for x in f(y)`, `except E`. None between
        statements."""
        before = bisect_right(self._starts, (line, column)) - 1
        if before < 0 or (line, column) >= self._sorted[before][1]:
            return None
        return self._sorted[before][2]

    def target_name(self, span: Span) -> str | None:
        """What the expression with exactly this span is assigned to, as the student wrote it: `t1`
        for the right side of `t1 = w0 ** 2`, `a` of `a = b = ...`; for the whole of `x += 1` as
        well. None for a part of what is assigned."""
        if span.unit != self.index:
            return None
        place = (span.line, span.column), (span.end_line, span.end_column)
        try:
            return ast.unparse(self._targets[place]) if place in self._targets else None
        except RecursionError:
            return None

    def _regions(self, body: list[ast.stmt]) -> Iterator[tuple[Position, Position, Span]]:
        pending = list(body)
        while pending:
            node = pending.pop()
            parts = list(_parts(node))
            if not parts:
                yield start_of(node), end_of(node), node_span(self.index, node)
            for start, header_end, inner in parts:
                pending.extend(inner)
                end = _start(inner[0]) if inner else header_end
                yield start, end, Span(self.index, *start, *header_end)


def _start(node: ast.stmt) -> Position:
    """Where a statement starts, its first decorator included (not the `@`)."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return start_of(decorators[0] if decorators else node)


def _parts(node: ast.stmt) -> Iterator[tuple[Position, Position, list[ast.stmt]]]:
    """For a compound statement: its headers (start, end of the code there, body), in order. `else`
    and `finally` have no code of their own: their statements are in the body before."""
    blocks = (ast.stmt, ast.ExceptHandler, ast.match_case)
    for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        children = list(ast.iter_child_nodes(part))
        inner = [child for child in children if isinstance(child, ast.stmt)]
        if inner or isinstance(part, ast.Match):
            word = start_of(part.pattern if isinstance(part, ast.match_case) else part)
            code = (child for child in children if not isinstance(child, blocks))
            nodes = (each for child in code for each in ast.walk(child))
            ends = (end_of(each) for each in nodes if isinstance(each, Placed))
            yield _start(part) if part is node else word, max([word, *ends]), inner
