"""Which values outlive their last use, in the student's own statements.

A value is late when it is alive while an op runs in a later statement than the one of its last
use. "Later" is judged in the innermost frame that was running both when the value was made and
when it was last used: that is where it could have been dropped. So an argument that a helper has
used up is not late while that helper still runs (its caller holds it), and a value that a helper
makes and leaks is late in the caller's very next statement.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ..model import Life, Recording, Span
from .beside import kept_beside
from .graph import DataFlow


class Late(NamedTuple):
    """A value that outlived its last use. `first_op` is the first op that ran too late,
    `statements` how many later statements ran one while it was alive, and `drop_after` the
    statement after which to drop it."""

    life: Life
    first_op: int
    statements: int
    drop_after: Span | None


def late_values(flow: DataFlow, slack: int = 0) -> tuple[Late, ...]:
    """Late values in order of birth. The result and the gradients may be kept, but not what lies beside them in
    their memory; a value may outlive its last use by `slack` statements."""
    recording, exempt = flow.recording, flow.exempt_storages
    kept = [life for life in recording.lives if life.storage not in exempt]
    found = {
        late.life.storage: late for late in map(partial(_late, recording, slack), kept) if late
    }
    for life in kept_beside(flow):
        late = None if life.storage in found else _late(recording, slack, life)
        if late is not None:
            found[life.storage] = late
    return tuple(sorted(found.values(), key=lambda late: late.life.born))


def _late(recording: Recording, slack: int, life: Life) -> Late | None:
    late = _later_statements(recording, life)
    if len(late) <= slack:
        return None
    first = next(iter(late.values()))
    depth = _depth(recording, life)
    if life.last_use == life.born:  # a helper gave it to a caller that has no use for it
        depth = min(depth, _shared_frames(recording, life.born, first))
    spans = recording.statements[recording.ops[life.last_use].statement].spans
    span = spans[depth - 1] if 0 < depth <= len(spans) else None
    return Late(life, first, len(late), span)


def first_op_after(recording: Recording, since: int, used: int) -> int:
    """The first op of a later statement than the one that ran the op `used`, for what was there from
    the op `since` on; the number of ops if there is none."""
    later = _later_statements(recording, Life(0, since, used, None))
    return min(later.values(), default=len(recording.ops))


def _depth(recording: Recording, life: Life) -> int:
    """How many frames, from the pass inwards, ran both when it was made and when last used."""
    return _shared_frames(recording, life.born, life.last_use)


def _shared_frames(recording: Recording, one: int, another: int) -> int:
    """How many frames, from the pass inwards, ran both ops, given by position."""
    depth = 0
    paths = [recording.statements[recording.ops[op].statement].path for op in (one, another)]
    for (frame, _), (other, _) in zip(*paths, strict=False):
        if frame != other:
            break
        depth += 1
    return depth


def _later_statements(recording: Recording, life: Life) -> dict[object, int]:
    """Statements that ran an op while the value outlived its last use, each with its first op."""
    ops = recording.ops
    end = len(ops) if life.dead_by is None else min(life.dead_by, len(ops))
    used = recording.statements[ops[life.last_use].statement].path
    depth = _depth(recording, life)
    found: dict[object, int] = {}
    for position in range(life.last_use + 1, end):
        op = ops[position]
        if op.context == "python":
            continue
        path = recording.statements[op.statement].path
        if not depth:
            here: object = path
            later = path != used
        elif len(path) >= depth and path[depth - 1][0] == used[depth - 1][0]:
            here = path[depth - 1]
            later = here != used[depth - 1]
        else:  # the frame has returned
            here = path
            later = True
        if later:
            found.setdefault(here, position)
    return found
