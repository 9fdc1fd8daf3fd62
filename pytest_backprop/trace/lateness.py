"""Which values outlive their last use, in the student's own statements; and which left torch
whole."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..model import VALUE, Life, Recording, Ref, Span, Statement
from .graph import PLAIN_NUMBERS, DataFlow, op_name
from .op_table import of_kind
from .watched import COPIES

VIEWS = of_kind("view")


class Late(NamedTuple):
    """A value that outlived its last use.

    The live range of a value goes from the op that makes it to the last op that reads or writes it.
    It is late when it is alive while an op runs in a later statement than that of its last use.
    "Later" is judged in the innermost frame that was running both when the value was made and when
    it was last used: that is where it could have been dropped. So an argument that a helper has
    used up is not late while that helper still runs, as its caller holds it. And a value that a
    helper makes and leaks is late in the caller's very next statement.

    What a loop's body uses in several rounds cannot be dropped in the body: it is late once the
    round of its last use is over.

    `first_op` is the first op that ran too late, `statements` how many later statements ran one
    while the value was alive, and `drop_after` the statement after which to drop it; where that is
    a loop's last one (`is_in_loop`), when the loop is left. The innermost of the first `frames`,
    from the pass inwards, can drop it.
    """

    life: Life
    first_op: int
    statements: int
    drop_after: Span | None
    frames: int
    is_in_loop: bool = False


Loops = Mapping[Span | None, Collection[Span | None]]
"""By the statement that makes values: the statements of the loops that use one of these in several
rounds."""


def late_values(flow: DataFlow, loops: Loops = MappingProxyType({})) -> tuple[Late, ...]:
    """Late values in order of birth. The result and the gradients may be kept, with all that lies
    in their memory. `loops` are those of other runs: in this one a loop may have had a single
    round."""
    recording, exempt = flow.recording, flow.exempt_storages
    used = list(_used_in_loops(recording))
    in_loops, own_loops = {life.storage for life, *_ in used}, _by_statement(used)
    late = []
    for life in recording.lives:
        if life.storage not in exempt:
            made_by = _made_by(recording, life)
            loop = set(loops.get(made_by, ()))
            if life.storage in in_loops:
                loop.update(own_loops.get(made_by, ()))
            late.append(_late(recording, life, loop))
    return tuple(sorted(filter(None, late), key=lambda value: value.life.born))


def loops_of(recordings: Iterable[Recording]) -> Loops:
    """The loops of some recordings of one method."""
    return _by_statement(itertools.chain.from_iterable(map(_used_in_loops, recordings)))


class _Used(NamedTuple):
    """A value that one statement uses in several rounds, what made it, and the statements that ran
    between these uses."""

    life: Life
    made_by: Span | None
    loop: set[Span | None]


def _by_statement(used: Iterable[_Used]) -> Loops:
    loops: dict[Span | None, set[Span | None]] = {}
    for _, made_by, loop in used:
        loops.setdefault(made_by, set()).update(loop)
    return loops


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
    """Whether a statement ran in a frame, the one at `depth` from the pass inwards, or in what that
    frame called."""
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
    """For each frame that was running at an op, the statement in it that runs the first op of a
    later one; None if it runs no other."""
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
    """The ops but for views of the result at the end: `return y.squeeze()` calculates nothing any
    more. What is stored in `.grad` as a view is no result: intermediates may lie beside it."""
    slot = recording.outputs.get(VALUE)
    end, result = len(recording.ops), None if slot is None else slot.value
    while end and (op := recording.ops[end - 1]) and op_name(op) in VIEWS and result in op.outputs:
        end, result = end - 1, op.reads[0]
    return end


def _later_statements(
    recording: Recording, life: Life, loop: Collection[Span | None] = ()
) -> dict[object, int]:
    """Statements that ran an op while the value outlived its last use, each with its first op.
    Where that use is in a loop whose statements are given, those that follow in its round are left
    out."""
    ops = recording.ops
    end = _end_of_work(recording)
    end = end if life.dead_by is None else min(life.dead_by, end)
    depth = _depth(recording, life)
    statement = _statement(recording, life.last_use)
    used, span = statement.path, statement.spans[depth - 1] if depth else None
    in_round = depth > 0 and span in loop
    later: dict[object, int] = {}
    for position in range(life.last_use + 1, end):
        if ops[position].context == "python":
            continue
        statement = recording.statements[ops[position].statement]
        path = statement.path
        if not depth or not _is_in(statement, depth, used[depth - 1][0]):
            here: object = path  # no frame could drop it, or that has returned
            in_round = False
            is_later = path != used
        else:
            here = path[depth - 1]
            is_later = here != used[depth - 1]
            if is_later and in_round:
                then = statement.spans[depth - 1]
                in_round = then in loop and _is_below(then, span)
                is_later = not in_round
        if is_later:
            later.setdefault(here, position)
    return later


def _is_below(one: Span | None, another: Span | None) -> bool:
    """Whether a statement stands below another: in a round of a loop it comes after it."""
    if one is None or another is None or one.unit != another.unit:
        return False
    return (one.line, one.column) > (another.line, another.column)


class Copy(NamedTuple):
    """A value that left torch as a whole (`.tolist()`, `.numpy()`), into memory that no weak
    reference sees. `looks` are the ops by which its numbers left. `is_used` says whether an op
    after the first of them calculates with one of the numbers, or with one that equals it."""

    looks: tuple[int, ...]
    is_used: bool


def copies(recording: Recording) -> dict[int, Copy]:
    """What left torch as a whole, by storage, in order."""
    values = recording.values
    looks, used, twins = dict[int, list[int]](), dict[int, int](), dict[int, int]()
    for position, op in enumerate(recording.ops):
        read = [values[v].storage for v in op.reads]
        if op.context != "python":
            if op.target == "torch::element":  # which gives the number to the op behind it
                used[read[0]] = position + 1
            continue
        # plain numbers alone are not followed: they may be typed in anywhere
        plain = len(op.args) > 1 and all(arg in PLAIN_NUMBERS for arg in op.args[1:])
        if op_name(op) in COPIES and not plain:
            for storage in read:
                looks.setdefault(storage, []).append(position)
        # links go to the first value with a number; others with it live as long
        for arg in op.args[1:]:
            if isinstance(arg, Ref):
                twins[read[0]] = values[arg.value].storage
    return {
        storage: Copy(
            tuple(positions),
            max(used.get(storage, 0), used.get(twins.get(storage, storage), 0)) > positions[0],
        )
        for storage, positions in looks.items()
    }
