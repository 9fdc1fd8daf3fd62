"""What a function does with its names, in the order of its text: where one is dropped (`t = None`,
`del t`), and where its value is still used. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..model import Span, Unit
from .parse import parse_text

_Position = tuple[int, int]
_Kind = Literal["use", "bind", "drop"]


class Event(NamedTuple):
    """A name, as `t1` or `self.w.grad`, that is used, bound or dropped. `at` is a line and a
    column in UTF-8 bytes, `end` the last line of the statement."""

    name: str
    kind: _Kind
    at: _Position
    end: int


class EarlyDrop(NamedTuple):
    """A name that was dropped on `line`, and is used after that; last in a statement that ends on
    `last`, None where the next round of a loop uses it."""

    name: str
    line: int
    last: int | None


class NameHistory:
    """The events of the function around a place in a unit; there is no event where that does not
    parse."""

    def __init__(self, unit: Unit, site: Span) -> None:
        self.start: _Position = (site.line, site.column)
        self.end: _Position = (site.end_line, site.end_column)
        self.events: list[Event] = []
        self.nodes: list[ast.AST] = []
        """What stands at the place."""
        self._loop: tuple[_Position, _Position] | None = None
        """The innermost loop around it."""
        try:
            function = self._function(parse_text(unit.text))
            if function is not None:
                for statement in function.body:
                    self._read(statement)
                self.nodes = [n for n in ast.walk(function) if self._is_inside(n)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.events, self.nodes = [], []
        self.events.sort(key=lambda event: event.at)

    def used(self) -> list[str]:
        """The names that are used at the place."""
        found = (e.name for e in self.events if e.kind == "use" and self.start <= e.at <= self.end)
        return list(dict.fromkeys(found))

    def last_before(self, name: str) -> Event | None:
        """What was last done to a name before the place but to use it."""
        made = [e for e in self.events if e.name == name and e.kind != "use"]
        before = [e for e in made if e.at < self.start]
        if self._loop is not None:  # what the round before did to it
            first, end = self._loop
            again = [e for e in made if self.start <= e.at <= end]
            if again and not any(first <= e.at for e in before):
                return again[-1]
        return before[-1] if before else None

    def early_drop(self) -> EarlyDrop | None:
        """The first name that is used at the place and was dropped before."""
        for name in self.used():
            dropped = self.last_before(name)
            if dropped is not None and dropped.kind == "drop":
                later = [e for e in self.events if e.name == name and e.at >= self.start]
                last = max((e.end for e in self._until_bound(later)), default=self.end[0])
                again = dropped.at >= self.start
                return EarlyDrop(name, dropped.at[0], None if again else last)
        return None

    # -- reading -----------------------------------------------------------------------------

    @staticmethod
    def _until_bound(events: list[Event]) -> Iterator[Event]:
        for event in events:
            if event.kind == "bind":
                return
            if event.kind == "use":
                yield event

    def _function(self, tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The innermost function around the place."""
        around = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and _start(node) <= self.start
            and self.end <= _end(node)
        ]
        return max(around, key=_start, default=None)

    def _is_inside(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.expr | ast.stmt)
            and self.start <= _start(node)
            and _end(node) <= self.end
        )

    def _read(self, node: ast.AST, end: int = 0) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            return
        if isinstance(node, ast.stmt):
            end = node.end_lineno or node.lineno
        if isinstance(node, ast.For | ast.While) and _start(node) <= self.start <= _end(node):
            self._loop = _start(node), _end(node)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._read_assignment(node, end)
            return
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            kinds: dict[type, _Kind] = {ast.Del: "drop", ast.Load: "use", ast.Store: "bind"}
            self._note(node, kinds[type(node.ctx)], _start(node), end)
        for child in ast.iter_child_nodes(node):
            self._read(child, end)

    def _read_assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, end: int) -> None:
        """A name is bound when the value is there, at the end of the statement."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        self._read(node.value, end)
        for target in targets:
            for part in ast.walk(target):  # of `self.w.grad[0] = ...` all but the whole
                if isinstance(part, ast.expr) and isinstance(getattr(part, "ctx", None), ast.Load):
                    self._note(part, "use", _start(part), end)
            if isinstance(node, ast.AugAssign):
                self._note(target, "use", _start(node), end)
                self._note(target, "bind", _end(node), end)
            else:
                self._bind(target, node.value, _end(node), end)

    def _bind(self, target: ast.expr, value: ast.expr, at: _Position, end: int) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values = [value] * len(target.elts)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                values = value.elts
            for part, given in zip(target.elts, values, strict=True):
                self._bind(part, given, at, end)
            return
        dropped = isinstance(value, ast.Constant) and value.value is None
        self._note(target, "drop" if dropped else "bind", at, end)

    def _note(self, node: ast.expr, kind: _Kind, at: _Position, end: int) -> None:
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            self.events.append(Event(ast.unparse(node), kind, at, end))


def _start(node: ast.expr | ast.stmt) -> _Position:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> _Position:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
