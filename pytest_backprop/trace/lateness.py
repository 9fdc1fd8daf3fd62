"""Which values outlive their last use, in the student's own statements.

A value is late when it is alive while an op runs in a later statement than the one of its last
use. "Later" is judged in the innermost frame that was running both when the value was made and
when it was last used: that is where it could have been dropped. So an argument that a helper has
used up is not late while that helper still runs (its caller holds it), and a value that a helper
makes and leaks is late in the caller's very next statement.

What a loop's body uses in several rounds cannot be dropped in it: it is late once the round of its last use is over.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..model import VALUE, Life, Recording, Span, Statement
from .graph import DataFlow, op_name
from .op_table import of_kind

VIEWS = of_kind("view")


class Late(NamedTuple):
    """A value that outlived its last use. `first_op` is the first op that ran too late,
    `statements` how many later statements ran one while it was alive, and `drop_after` the
    statement after which to drop it; where that is a loop's last one (`is_in_loop`), when the loop
    is left. The innermost of the first `frames`, from the pass inwards, can drop it."""

    life: Life
    first_op: int
    statements: int
    drop_after: Span | None
    frames: int
    is_in_loop: bool = False


Loops = Mapping[Span | None, Collection[Span | None]]
"""By the statement that makes values: the statements of the loops that use one of these in several rounds."""


def late_values(flow: DataFlow, loops: Loops = MappingProxyType({})) -> tuple[Late, ...]:
    """Late values in order of birth. The result and the gradients may be kept, with all that lies in
    their memory. `loops` are those of other runs: here one may have had one round."""
    recording, exempt = flow.recording, flow.exempt_storages
    kept = [life for life in recording.lives if life.storage not in exempt]
    used = list(_used_in_loops(recording))
    in_loops, here = {life.storage for life, *_ in used}, _by_statement(used)

    def late_one(life: Life) -> Late | None:
        made_by = _made_by(recording, life)
        loop = {
            *loops.get(made_by, ()),
            *(here.get(made_by, ()) if life.storage in in_loops else ()),
        }
        return _late(recording, life, loop)

    late = filter(None, map(late_one, kept))
    return tuple(sorted(late, key=lambda value: value.life.born))


def loops_of(recordings: Iterable[Recording]) -> Loops:
    """Those of some recordings of one method."""
    return _by_statement(itertools.chain.from_iterable(map(_used_in_loops, recordings)))


class _Used(NamedTuple):
    """A value that one statement uses in several rounds, what made it, and the statements that ran between these
    uses."""

    life: Life
    made_by: Span | None
    loop: set[Span | None]


def _by_statement(used: Iterable[_Used]) -> Loops:
    found: dict[Span | None, set[Span | None]] = {}
    for _, made_by, loop in used:
        found.setdefault(made_by, set()).update(loop)
    return found


def _used_in_loops(recording: Recording) -> Iterator[_Used]:
    runs = {
        (frame, execution, span)
        for statement in recording.statements
        for (frame, execution), span in zip(statement.path, statement.spans, strict=True)
    }
    if len({(frame, span) for frame, _, span in runs}) == len(runs):
        return  # nothing runs twice in one frame
    uses: dict[int, list[int]] = {}
    for position, op in enumerate(recording.ops):
        for storage in {recording.values[v].storage for v in (*op.reads, *op.writes)}:
            uses.setdefault(storage, []).append(position)
    for life in recording.lives:
        depth = _depth(recording, life)
        if not depth:
            continue
        frame = _statement(recording, life.born).path[depth - 1][0]
        loop: set[Span | None] = set()
        seen: dict[Span | None, tuple[int, int]] = {}
        for position in uses.get(life.storage, ()):
            here = _statement(recording, position)
            if position == life.born or not _is_in(here, depth, frame):
                continue
            execution, span = here.path[depth - 1][1], here.spans[depth - 1]
            before, since = seen.get(span, (execution, position))
            seen[span] = (execution, position)
            if before != execution:
                between = (_statement(recording, p) for p in range(since, position + 1))
                loop |= {s.spans[depth - 1] for s in between if _is_in(s, depth, frame)}
        if loop:
            yield _Used(life, _made_by(recording, life), loop)


def _made_by(recording: Recording, life: Life) -> Span | None:
    """The statement that made a value, in the frame where that could be dropped."""
    depth = _depth(recording, life)
    return _statement(recording, life.born).spans[depth - 1] if depth else None


def _is_in(statement: Statement, depth: int, frame: int) -> bool:
    """Whether a statement ran in a frame of so many, from the pass inwards, or in what that called."""
    return len(statement.path) >= depth and statement.path[depth - 1][0] == frame


def _statement(recording: Recording, position: int) -> Statement:
    return recording.statements[recording.ops[position].statement]


def _late(recording: Recording, life: Life, loop: Collection[Span | None]) -> Late | None:
    depth = _depth(recording, life)
    late = _later_statements(recording, life, loop)
    if not late:
        return None
    first = next(iter(late.values()))
    running = min(depth, _shared_frames(recording, life.last_use, first))
    if life.last_use == life.born:  # a helper gave it to a caller that has no use for it
        depth = running
    spans = _statement(recording, life.last_use).spans
    span = spans[depth - 1] if 0 < depth <= len(spans) else None
    if span not in loop:
        return Late(life, first, len(late), span, running)
    last = max((s for s in loop if s is not None), key=lambda s: (s.unit, s.end_line))
    return Late(life, first, len(late), last, running, is_in_loop=True)


def next_statements(recording: Recording, position: int) -> tuple[Span | None, ...]:
    """For each frame that was running at an op, the statement in it that runs the first op of a later one;
    None if it runs no other."""
    path = _statement(recording, position).path
    spans: list[Span | None] = [None] * len(path)
    for later in range(position + 1, _end_of_work(recording)):
        if recording.ops[later].context == "python":
            continue
        statement = _statement(recording, later)
        for depth, (own, other) in enumerate(zip(path, statement.path, strict=False)):
            if own[0] != other[0]:
                break
            if own != other and spans[depth] is None:
                spans[depth] = statement.spans[depth]
    return tuple(spans)


def _depth(recording: Recording, life: Life) -> int:
    """How many frames, from the pass inwards, ran both when it was made and when last used."""
    return _shared_frames(recording, life.born, life.last_use)


def _shared_frames(recording: Recording, one: int, another: int) -> int:
    """How many frames, from the pass inwards, ran both ops, given by position."""
    depth = 0
    paths = [_statement(recording, op).path for op in (one, another)]
    for (frame, _), (other, _) in zip(*paths, strict=False):
        if frame != other:
            break
        depth += 1
    return depth


def _end_of_work(recording: Recording) -> int:
    """The ops but for views of the result at the end: `return y.squeeze()` calculates nothing any more. What is
    stored in `.grad` as a view is no result: intermediates may lie beside it."""
    slot = recording.outputs.get(VALUE)
    end, result = len(recording.ops), None if slot is None else slot.value
    while end and (op := recording.ops[end - 1]) and op_name(op) in VIEWS and result in op.outputs:
        end, result = end - 1, op.reads[0]
    return end


def _later_statements(
    recording: Recording, life: Life, loop: Collection[Span | None] = ()
) -> dict[object, int]:
    """Statements that ran an op while the value outlived its last use, each with its first op; where that use is in a
    loop whose statements are given, but for those that follow in the same round."""
    ops = recording.ops
    end = _end_of_work(recording)
    end = end if life.dead_by is None else min(life.dead_by, end)
    depth = _depth(recording, life)
    statement = _statement(recording, life.last_use)
    used, span = statement.path, statement.spans[depth - 1] if depth else None
    in_round = depth > 0 and span in loop
    found: dict[object, int] = {}
    for position in range(life.last_use + 1, end):
        op = ops[position]
        if op.context == "python":
            continue
        statement = recording.statements[op.statement]
        path = statement.path
        if not depth:
            here: object = path
            later = path != used
        elif _is_in(statement, depth, used[depth - 1][0]):
            here = path[depth - 1]
            later = here != used[depth - 1]
            if later and in_round:
                then = statement.spans[depth - 1]
                in_round = then in loop and _is_below(then, span)
                later = not in_round
        else:  # the frame has returned
            here = path
            later = True
            in_round = False
        if later:
            found.setdefault(here, position)
    return found


def _is_below(one: Span | None, another: Span | None) -> bool:
    """Whether a statement stands below another: in a round of a loop it comes after it."""
    if one is None or another is None or one.unit != another.unit:
        return False
    return (one.line, one.column) > (another.line, another.column)
