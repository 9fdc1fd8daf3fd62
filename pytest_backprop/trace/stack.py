"""Which statement of the student's runs an op, and which execution of it.

The student may free a value between two statements, not inside one, so lateness is counted in
*executions of statements*. A loop body runs its statements anew each time round; a helper method
has statements of its own inside one statement of its caller.

Frames are told apart by identity, which needs a strong reference: a frame that has returned keeps
its locals alive while we hold it. `read` therefore drops those that are no longer on the stack
before anyone asks which storages are alive; at the granularity of ops nothing is seen to live
longer. (`sys.settrace` would tell frames apart too, but before Python 3.13 it copies each frame's
locals into a dict that holds them.)"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from sys import _getframe
from types import CodeType, FrameType
from typing import Any, NamedTuple

from ..model import Context, Span
from .codes import Codes

LOOP_MARK = "here the body of a loop begins"
"""Stands in code for the function that each loop body of the student's calls first: no name, which
could be bound."""

COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def mark_loops(node: ast.stmt) -> None:
    """Puts a call of `LOOP_MARK` first in each loop body of a statement; places stay as they
    are."""
    for block in [*ast.walk(node)]:
        if isinstance(block, ast.For | ast.While):
            mark = ast.Expr(ast.Call(ast.Constant(LOOP_MARK), [], []))
            for part in ast.walk(mark):
                ast.copy_location(part, block.body[0])
            block.body.insert(0, mark)


class Position(NamedTuple):
    """What an instruction of the student's belongs to: its statement and its expression."""

    statement: Span | None
    site: Span | None


class Reading(NamedTuple):
    """Where the program stands: path of (frame, execution), the statement in each of these frames,
    the frame whose work it does, with what tells places, on whose behalf, and the code that is in
    no submission where that is what runs."""

    path: tuple[tuple[int, int], ...]
    statements: tuple[Span | None, ...]
    worker: FrameType | None
    position: Callable[[FrameType], Position]
    context: Context
    foreign: CodeType | None = None

    @property
    def site(self) -> Span | None:
        """The innermost expression of the student's that runs."""
        return None if self.worker is None else self.position(self.worker).site


@dataclass(slots=True)
class _Level:
    """One student frame on the stack, and which execution of which statement runs in it."""

    frame: FrameType
    number: int
    execution: int = 0
    statement: Span | None = None
    loop: int = 0


Positions = dict[int, tuple[CodeType, list[tuple[int | None, ...]], dict[int, Position]]]
"""By code object (by its id, with the object kept: hashing one reads all of it), where each
instruction stands, and the position of those that ran."""

_rounds: dict[int, int] = {}
_round_count = itertools.count(1)


def with_loop_marks(code: CodeType) -> CodeType:
    """What was compiled from marked loops, with the function itself in it."""

    def marked(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return with_loop_marks(constant)
        return loop_mark if constant == LOOP_MARK else constant

    return code.replace(co_consts=tuple(map(marked, code.co_consts)))


def loop_mark() -> None:
    """Called by the student's loop bodies: what follows in this frame is a new round."""
    _rounds[id(_getframe(1))] = next(_round_count)


class StackReader:
    """Reads the student's frames off the stack.

    `codes` tells the student's code from any other's. `statement_at` gives the statement at (unit,
    line, column); without it readings have no path."""

    def __init__(
        self,
        codes: Codes,
        statement_at: Callable[[int, int, int], Span | None] | None = None,
        forward_codes: Iterable[CodeType] = (),
        positions: Positions | None = None,
    ) -> None:
        self._codes = codes
        self._statement_at = statement_at
        self._forward = {id(code) for code in forward_codes}
        self._levels: list[_Level] = []
        self._frame_numbers = itertools.count()
        self._executions = itertools.count(1)
        self._positions: Positions = {} if positions is None else positions

    def read(self, frame: FrameType | None, base: FrameType | None) -> Reading:
        """Where the program stands, from `frame` outwards to `base` (which is not the student's).

        An op is the work of the innermost frame that is no library's. Forgets frames that have
        returned, so that their locals die now."""
        context: Context = "student"
        foreign: CodeType | None = None
        frames: list[FrameType] = []
        worker: FrameType | None = None
        kinds = self._codes.kinds
        while frame is not None and frame is not base:
            code = frame.f_code
            kind = kinds[id(code)][1] if id(code) in kinds else self._codes.kind(code)
            if kind == "transform":
                context = "transform"
            elif kind == "foreign":
                if worker is None and foreign is None:
                    foreign = code
            elif kind != "library":
                worker = worker or frame
                if id(code) in self._forward and context == "student":
                    context = "forward"
                if code.co_name not in COMPREHENSIONS:
                    frames.append(frame)
            frame = frame.f_back
        if frame is None:
            foreign = None  # the run is over: what is further out is the grader's
        if foreign is not None and context == "student":
            context = "foreign"
        self._follow(frames[::-1] if self._statement_at else [])
        path = tuple([(level.number, level.execution) for level in self._levels])
        statements = tuple([level.statement for level in self._levels])
        return Reading(path, statements, worker, self._position, context, foreign)

    def line_below(self, frame: FrameType | None) -> Span | None:
        """The student's expression that led to `frame`, without any bookkeeping."""
        while frame is not None and not self.is_students(frame.f_code):
            frame = frame.f_back
        return None if frame is None else self._position(frame).site

    def is_students(self, code: CodeType) -> bool:
        """Whether it was compiled from the submission."""
        return isinstance(self._codes.kind(code), int)

    def frames(self) -> list[FrameType]:
        """The student's frames as of the last reading, outermost first."""
        return [level.frame for level in self._levels]

    def forget(self) -> None:
        """Drops every frame."""
        self._levels.clear()
        _rounds.clear()

    def _follow(self, frames: list[FrameType]) -> None:
        levels = self._levels
        common = 0
        for level, frame in zip(levels, frames, strict=False):
            if level.frame is not frame:
                break
            common += 1
        del levels[common:]
        for frame in frames[common:]:
            levels.append(_Level(frame, next(self._frame_numbers)))
        for level in levels:
            statement = self._position(level.frame).statement
            loop = _rounds.get(id(level.frame), 0)
            if not level.execution or statement != level.statement or loop != level.loop:
                level.execution = next(self._executions)
                level.statement = statement
                level.loop = loop

    def _position(self, frame: FrameType) -> Position:
        code, index = frame.f_code, frame.f_lasti // 2
        if id(code) not in self._positions:
            self._positions[id(code)] = code, [*code.co_positions()], {}
        _, places, positions = self._positions[id(code)]
        if index not in positions:
            positions[index] = Position(None, None)
            unit = self._codes.kind(code)
            line, end_line, column, end_column = places[max(index, 0)]
            if isinstance(unit, int) and index >= 0 and line is not None:
                column = column or 0
                site = Span(unit, line, column, end_line or line, end_column or 0)
                statement = self._statement_at and self._statement_at(unit, line, column)
                positions[index] = Position(statement, site)
        return positions[index]
