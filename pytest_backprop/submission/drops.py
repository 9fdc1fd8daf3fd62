"""What a function does with its names, in the order of its text: where one is dropped (`t = None`,
`del t`), where its value is still used, and where it could be dropped. Nothing is run."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..model import Span, Unit
from .parse import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    Position,
    assignments,
    blocks_of,
    end_of,
    start_of,
    tree_of,
    unpacked,
)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_Kind = Literal["use", "bind", "drop"]
_KINDS: dict[type, _Kind] = {ast.Load: "use", ast.Store: "bind", ast.Del: "drop"}


class Event(NamedTuple):
    """A name, as `t1` or `self.w.grad`, that is used, bound or dropped. `at` is a line and a
    column in UTF-8 bytes, `end` the last line of the statement."""

    name: str
    kind: _Kind
    at: Position
    end: int


class EarlyDrop(NamedTuple):
    """A name that was dropped on `line`, and is used after that; last in a statement that ends on
    `last`, None where the next round of a loop uses it."""

    name: str
    line: int
    last: int | None


class ReleasePlace(NamedTuple):
    """Right after the line `end`. `block`: the first line of the loop or block that ends there,
    0 where it is a single statement."""

    end: int
    block: int = 0


class NameHistory:
    """The events of the function around a place in a unit; none where that does not parse."""

    def __init__(self, unit: Unit, site: Span) -> None:
        self.start, self.end = (site.line, site.column), (site.end_line, site.end_column)
        function = _function(unit, site) or ast.Module([], [])
        nodes = [n for n in ast.walk(function) if isinstance(n, ast.expr | ast.stmt)]
        self.nodes = [n for n in nodes if self.start <= start_of(n) and end_of(n) <= self.end]
        """What stands at the place."""
        loops = [n for n in nodes if isinstance(n, _LOOPS) and _is_at(n, self.start)]
        self._loop = max(loops, key=start_of, default=None)
        """The innermost loop around it."""
        self.end_of_round = end_of(self._loop or function.body[-1]) if nodes else self.end
        try:
            self.events = sorted(_events(function.body), key=lambda event: event.at)
        except RecursionError:
            self.events = []

    def used(self) -> list[str]:
        """The names that are used at the place."""
        events = (e for e in self.events if e.kind == "use" and self.start <= e.at <= self.end)
        return list(dict.fromkeys(event.name for event in events))

    def last_before(self, name: str) -> Event | None:
        """What was last done to a name before the place but to use it."""
        events = [e for e in self.events if e.name == name and e.kind != "use"]
        before = [e for e in events if e.at < self.start]
        if self._loop is not None:  # what the round before did to it
            again = [e for e in events if self.start <= e.at <= end_of(self._loop)]
            if again and not any(start_of(self._loop) <= e.at for e in before):
                return again[-1]
        return before[-1] if before else None

    def early_drop(self) -> EarlyDrop | None:
        """The first name that is used at the place and was dropped before."""
        for name in self.used():
            dropped = self.last_before(name)
            if dropped is not None and dropped.kind == "drop":
                later = [e for e in self.events if e.name == name and e.at >= self.start]
                until = itertools.takewhile(lambda event: event.kind != "bind", later)
                last = max((e.end for e in until if e.kind == "use"), default=self.end[0])
                again = dropped.at >= self.start
                return EarlyDrop(name, dropped.at[0], None if again else last)
        return None


def _events(body: list[ast.stmt]) -> Iterator[Event]:
    """What statements do with names, but for the functions in them."""
    bound: dict[ast.AST, tuple[Position, _Kind]] = {}
    """A target is bound when its value is there, at the end of the statement."""
    pending: list[tuple[ast.AST, int]] = [(node, 0) for node in body]
    while pending:
        node, last = pending.pop()
        if isinstance(node, (*DEFINITIONS, ast.Lambda)):
            continue
        if isinstance(node, ast.stmt):
            last = end_of(node)[0]
        annotation = getattr(node, "annotation", None)
        children = (child for child in ast.iter_child_nodes(node) if child is not annotation)
        pending += [(child, last) for child in children]
        for target, assigned in assignments(node):
            for part, value in unpacked(target, assigned):
                is_none = isinstance(value, ast.Constant) and value.value is None
                bound[part] = end_of(assigned), "drop" if is_none else "bind"
        if isinstance(node, ast.AugAssign):
            yield Event(ast.unparse(node.target), "use", start_of(node), last)
            bound[node.target] = end_of(node), "bind"
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            at, kind = bound.get(node, (start_of(node), _KINDS[type(node.ctx)]))
            yield Event(ast.unparse(node), kind, at, last)


@functools.lru_cache(256)
def release_place(
    unit: Unit, maker: Span, used: Span, late: Span, names: tuple[str, ...], in_rounds: bool
) -> ReleasePlace | None:
    """Where to drop what the statement `maker` makes, `used` uses last and is alive in `late`,
    three statements of one function, in a line of its own; `in_rounds`: several rounds of a loop
    use it. None where the text shows no such place."""
    function = _function(unit, used)
    if function is None:
        return None
    to_used, to_late = (_way(function, (span.line, span.column)) for span in (used, late))
    if in_rounds:  # the outermost loop that uses what was made outside of it
        outside = _way(function, (maker.line, maker.column))
        inside = (
            n for n, s in enumerate(to_used) if isinstance(s.node, _LOOPS) and s not in outside
        )
        to_used = to_used[: next(inside, -1) + 1]
    if not to_used or not to_late:
        return None
    last, late_nodes = to_used[-1], [step.node for step in to_late]
    if last.node in late_nodes[:-1]:  # between its header and its body
        return None
    history = NameHistory(unit, used)
    limit = start_of(late_nodes[-1])
    if limit < start_of(last.node):  # the next round of a loop runs it
        limit = history.end_of_round
    binds = {e.at for e in history.events if e.name in names and e.kind == "bind"}
    binds = {at for at in binds if end_of(last.node) < at <= limit}
    for node in last.block[last.block.index(last.node) + 1 :]:
        here = {at for at in binds if node not in late_nodes and _is_at(node, at)}
        last = last._replace(node=node) if here else last
        binds -= here
    first, end = last.node.lineno, end_of(last.node)[0]
    later = [e for e in history.events if e.at >= (end + 1, 0)]
    again = [next((e for e in later if e.name == name), None) for name in names]
    on_its_lines = [n for n in last.block if n.lineno <= end and first <= end_of(n)[0]]
    if binds or any(e is not None and e.kind == "use" for e in again):  # it is needed elsewhere
        return None
    before = unit.text.split("\n")[first - 1].encode()[: last.node.col_offset]
    if len(on_its_lines) > 1 or before.strip():
        return None
    return ReleasePlace(end, 0 if not blocks_of(last.node) or first == end else first)


class _Step(NamedTuple):
    """A statement in its block."""

    block: list[ast.stmt]
    node: ast.stmt


# -- statements ----------------------------------------------------------------------------


def _function(unit: Unit, site: Span) -> Function | None:
    """The innermost function around a place."""
    functions = [node for node in ast.walk(tree_of(unit)) if isinstance(node, FUNCTIONS)]
    at = site.line, site.column
    return max((node for node in functions if _is_at(node, at)), key=start_of, default=None)


def _is_at(node: ast.stmt, at: Position) -> bool:
    return start_of(node) <= at <= end_of(node)


def _way(function: Function, at: Position) -> list[_Step]:
    """From a function's body to the innermost statement at a place in it."""
    steps: list[_Step] = []
    blocks = [function.body]
    while blocks:
        inside = [_Step(block, node) for block in blocks for node in block if _is_at(node, at)]
        steps += inside[:1]
        blocks = blocks_of(inside[0].node) if inside else []
    return steps
