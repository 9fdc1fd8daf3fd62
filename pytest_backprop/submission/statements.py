"""From a place in a unit's text to the student's statement there."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Span, Unit
from .parse import node_span, parse_text

_Position = tuple[int, int]
_Extent = tuple[int, int, int, int]


@dataclass(frozen=True)
class StatementAt:
    """A simple statement, or the header of a compound one.

    `span` is the statement's, or the header's only: `for x in f(y)`, `except E`, `case [a, b]`.
    `node` is the statement in the syntax tree.
    """

    node: ast.stmt
    span: Span


class Statements:
    """The statements of one unit, by place. Lines from 1, columns in UTF-8 bytes from 0.

    A unit that does not parse, or not within Python's recursion limit, has no statements.
    """

    def __init__(self, unit: Unit, index: int = 0) -> None:
        self.index = index
        self._lines = unit.text.split("\n")
        self._found: list[StatementAt] = []
        self._targets: dict[_Extent, ast.expr] = {}
        # Half-open regions of text, sorted and apart from each other.
        self._starts: list[_Position] = []
        self._ends: list[_Position] = []
        try:
            tree = parse_text(unit.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        regions = sorted(self._regions(tree.body), key=lambda region: region[0])
        for start, end, found in regions:
            self._starts.append(start)
            self._ends.append(end)
            self._found.append(found)
        for node in ast.walk(tree) if ":=" in unit.text else (found.node for found in self._found):
            self._note_targets(node)

    def at(self, line: int, column: int | None = None) -> StatementAt | None:
        """The innermost simple statement at a place, or the compound statement whose header is
        there; None between statements. Without a column, the first that starts on the line, else
        the one that goes on there."""
        if column is None:
            starting = bisect_left(self._starts, (line, 0))
            if starting < len(self._starts) and self._starts[starting][0] == line:
                return self._found[starting]
            column = 0
        before = bisect_right(self._starts, (line, column)) - 1
        if before < 0 or (line, column) >= self._ends[before]:
            return None
        return self._found[before]

    def all(self) -> tuple[StatementAt, ...]:
        """Every statement and header, in the order of the text."""
        return tuple(self._found)

    def target_name(self, span: Span) -> str | None:
        """What the expression with exactly this span is assigned to, as the student wrote it.

        `t1` for the right side of `t1 = w0 ** 2`, `a` of `a = b = ...`, `self.t1`, `d['k']`; for
        the whole of `x += 1` as well. None if it is assigned to nothing, or is only a part of
        what is assigned.
        """
        if span.unit != self.index:
            return None
        target = self._targets.get((span.line, span.column, span.end_line, span.end_column))
        try:
            return None if target is None else ast.unparse(target)
        except RecursionError:
            return None

    # -- regions ----------------------------------------------------------------------------

    def _regions(self, body: list[ast.stmt]) -> Iterator[tuple[_Position, _Position, StatementAt]]:
        pending = list(body)
        while pending:
            node = pending.pop()
            parts = list(_parts(node))
            if not parts:
                span = node_span(self.index, node)
                yield _start(node), (span.end_line, span.end_column), StatementAt(node, span)
                continue
            for start, header_end, inner in parts:
                pending.extend(inner)
                end = _start(inner[0]) if inner else header_end
                yield start, end, StatementAt(node, self._header_span(start, header_end, end))

    def _header_span(self, start: _Position, header_end: _Position, end: _Position) -> Span:
        """From the header's start to its colon, or thereabouts, in no line but its own."""
        line = header_end[0]
        text = self._lines[line - 1].encode("utf-8", "replace")
        if end[0] == line:
            text = text[: end[1]]
        code = text[header_end[1] :]
        colon = code.find(b":")
        stop = header_end[1] + colon if colon >= 0 else len(text.rstrip())
        return Span(self.index, start[0], start[1], line, max(stop, header_end[1]))

    # -- targets ----------------------------------------------------------------------------

    def _note_targets(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            self._assign(node.targets[0], node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None:
                self._assign(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            # Its operation has the whole statement's position.
            self._targets[_extent(node)] = node.target

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        pending = [(target, value)]
        while pending:
            to, what = pending.pop()
            if isinstance(to, (ast.Tuple, ast.List)):
                if isinstance(what, (ast.Tuple, ast.List)) and len(to.elts) == len(what.elts):
                    pairs = list(zip(to.elts, what.elts, strict=True))
                    if not any(isinstance(x, ast.Starred) for pair in pairs for x in pair):
                        pending.extend(pairs)
            elif isinstance(to, (ast.Name, ast.Attribute, ast.Subscript)):
                self._targets[_extent(what)] = to
                if isinstance(what, ast.IfExp):
                    pending += [(to, what.body), (to, what.orelse)]


def _start(node: ast.stmt) -> _Position:
    """Where a statement starts, its first decorator included (not the `@`)."""
    decorators = getattr(node, "decorator_list", None)
    if decorators:
        return decorators[0].lineno, decorators[0].col_offset
    return node.lineno, node.col_offset


def _extent(node: ast.stmt | ast.expr) -> _Extent:
    span = node_span(0, node)
    return span.line, span.column, span.end_line, span.end_column


def _end(node: ast.AST | None, at_least: _Position) -> _Position:
    """The end of the last of a node's parts, or `at_least`."""
    ends = [at_least]
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, (ast.expr, ast.pattern, ast.arg, ast.alias, ast.keyword)):
            span = (part.end_lineno or part.lineno, part.end_col_offset or part.col_offset)
            ends.append(span)
    return max(ends)


def _parts(node: ast.stmt) -> Iterator[tuple[_Position, _Position, list[ast.stmt]]]:
    """For a compound statement: its headers (start, end of the code there, body), in order.

    The statements of `else` and `finally`, which have no code of their own, come with no header of
    theirs: they are added to the body before. Nothing for a simple statement.
    """
    start, word = _start(node), (node.lineno, node.col_offset)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        end = _end(node.args, word)
        yield start, _end(node.returns, end), node.body
    elif isinstance(node, ast.ClassDef):
        end = max([word, *(_end(part, word) for part in (*node.bases, *node.keywords))])
        yield start, end, node.body
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield start, _end(node.iter, word), [*node.body, *node.orelse]
    elif isinstance(node, (ast.While, ast.If)):
        yield start, _end(node.test, word), [*node.body, *node.orelse]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield start, max(_end(item, word) for item in node.items), node.body
    elif isinstance(node, (ast.Try, ast.TryStar)):
        yield start, word, [*node.body, *node.orelse, *node.finalbody]
        for handler in node.handlers:
            at = (handler.lineno, handler.col_offset)
            yield at, _end(handler.type, at), handler.body
    elif isinstance(node, ast.Match):
        yield start, _end(node.subject, word), []
        for case in node.cases:
            at = (case.pattern.lineno, case.pattern.col_offset)
            yield at, _end(case.guard, _end(case.pattern, at)), case.body
