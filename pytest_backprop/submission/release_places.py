"""Where in the text of a function a value can be dropped: after its last use and after the last of
its names is bound, before what runs too late. Nothing is run."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..model import Span, Unit
from .drops import NameHistory
from .parse import parse_text

_Position = tuple[int, int]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class ReleasePlace(NamedTuple):
    """Right after the line `end`. `block`: the first line of the loop or block that ends there,
    0 where it is a single statement. `statement`: the text after which it has to stand on that
    line itself. `reads_again`: the line where a name is still read after that, if one is."""

    end: int
    block: int = 0
    statement: str = ""
    reads_again: int | None = None


class _Step(NamedTuple):
    """A statement in its block."""

    block: list[ast.stmt]
    at: int

    @property
    def statement(self) -> ast.stmt:
        return self.block[self.at]

    @property
    def after(self) -> list[_Step]:
        return [self._replace(at=i) for i in range(self.at + 1, len(self.block))]

    @property
    def before(self) -> list[_Step]:
        return [self._replace(at=i) for i in range(self.at)]


@functools.lru_cache(256)
def release_place(
    unit: Unit, maker: Span, used: Span, late: Span, names: tuple[str, ...], in_rounds: bool
) -> ReleasePlace | None:
    """Where to drop what the statement `maker` makes, `used` uses last and is alive in `late`,
    three statements of one function; `in_rounds`: several rounds of a loop use it. None where
    there is no such place."""
    try:
        function = _function(parse_text(unit.text), used)
        if function is None:
            return None
        to_used, to_late = _steps(function, _start(used)), _steps(function, _start(late))
        if in_rounds:
            to_used = _to_loop(to_used, _steps(function, _start(maker)))
        if not to_used or not to_late:
            return None
        if to_used[-1].statement in [step.statement for step in to_late[:-1]]:
            return None if in_rounds else _below(unit, to_used[-1], to_late[len(to_used)])
        history = NameHistory(unit, used)
        binds = [e.at for e in history.events if e.name in names and e.kind == "bind"]
        last = to_used[-1]
        for step in _between(to_used, to_late):
            if any(_begin(step.statement) <= bind <= _stop(step.statement) for bind in binds):
                last = step
        place = _place(unit, last, to_late)
        return place and place._replace(reads_again=_read_again(history, names, last, place))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _to_loop(to_used: list[_Step], to_maker: list[_Step]) -> list[_Step]:
    """The way to the outermost loop that uses what was made outside of it."""
    outside = {id(step.statement) for step in to_maker}
    for depth, step in enumerate(to_used):
        if isinstance(step.statement, _LOOPS) and id(step.statement) not in outside:
            return to_used[: depth + 1]
    return []


def _between(to_used: list[_Step], to_late: list[_Step]) -> list[_Step]:
    """What runs after the one statement and before the other, in order."""
    shared = 0
    for one, other in zip(to_used, to_late, strict=False):
        if one.block is not other.block:
            break
        shared += 1
    one, other = to_used[shared - 1], to_late[shared - 1]
    after: list[_Step] = []
    for depth in reversed(range(shared, len(to_used))):
        after += to_used[depth].after
        after += _always_after(to_used[depth - 1].statement, to_used[depth].block)
    before = [step for each in to_late[shared:] for step in each.before]
    if one.at < other.at:
        return after + one.after[: other.at - one.at - 1] + before
    # in the next round of a loop, but where that loop is the statement itself
    around = one.at == other.at and isinstance(one.statement, (*_LOOPS, ast.Try))
    return after if around else after + one.after


def _always_after(statement: ast.stmt, block: list[ast.stmt]) -> list[_Step]:
    """What of a `try` runs after one of its blocks."""
    if not isinstance(statement, ast.Try | ast.TryStar) or block is statement.finalbody:
        return []
    later = [statement.orelse if block is statement.body else [], statement.finalbody]
    return [_Step(each, index) for each in later for index in range(len(each))]


def _below(unit: Unit, header: _Step, below: _Step) -> ReleasePlace | None:
    """Between the header of a compound statement and its body."""
    body = getattr(header.statement, "body", None)
    first = below.block[0]
    if below.block is not body or not _begins_a_line(unit, first):
        return None
    return ReleasePlace(_begin(first)[0] - 1)


def _place(unit: Unit, last: _Step, to_late: Sequence[_Step]) -> ReleasePlace | None:
    statement = last.statement
    end = _stop(statement)[0]
    one_line = not _begins_a_line(unit, last.block[0])
    late = {id(step.statement) for step in to_late}
    for step in last.after:
        if _begin(step.statement)[0] > end:
            break
        one_line = one_line or id(step.statement) in late
        end = max(end, _stop(step.statement)[0])
    simple = not _blocks(statement)
    if one_line:
        text = ast.get_source_segment(unit.text, statement)
        if not simple or not text or "\n" in text:
            return None
        return ReleasePlace(_stop(statement)[0], statement=text)
    first = _begin(statement)[0]
    return ReleasePlace(end, 0 if simple or first == end else first)


def _read_again(
    history: NameHistory, names: Collection[str], last: _Step, place: ReleasePlace
) -> int | None:
    """The first line after a place on which one of the names is read, before it is bound anew."""
    from_ = _stop(last.statement) if place.statement else (place.end + 1, 0)
    for name in sorted(names):
        event = next((e for e in history.events if e.name == name and e.at >= from_), None)
        if event is not None and event.kind == "use":
            return event.at[0]
    return None


# -- statements ----------------------------------------------------------------------------


def _function(tree: ast.Module, span: Span) -> list[ast.stmt] | None:
    """The body of the innermost function around a place."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, _FUNCTIONS) and _begin(node) <= _start(span) < _stop(node)
    ]
    return max(around, key=_begin).body if around else None


def _steps(body: list[ast.stmt], at: _Position) -> list[_Step]:
    """The way from a function's body to the innermost statement at a place in it."""
    steps: list[_Step] = []
    blocks = [body]
    while True:
        step = next(
            (
                _Step(block, index)
                for block in blocks
                for index, statement in enumerate(block)
                if _begin(statement) <= at < _stop(statement)
            ),
            None,
        )
        if step is None:
            return steps
        steps.append(step)
        blocks = _blocks(step.statement)


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement. A function in it is no part of what runs."""
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return []
    parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    fields = ("body", "orelse", "finalbody")
    blocks = [getattr(part, field, None) for part in parts for field in fields]
    return [block for block in blocks if block]


def _begins_a_line(unit: Unit, statement: ast.stmt) -> bool:
    line, column = _begin(statement)
    return not unit.text.split("\n")[line - 1].encode()[:column].strip()


def _start(span: Span) -> _Position:
    return span.line, span.column


def _begin(node: ast.stmt) -> _Position:
    return node.lineno, node.col_offset


def _stop(node: ast.stmt) -> _Position:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
