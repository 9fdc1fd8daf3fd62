"""Which values outlive their last use, in the student's own statements; and which left torch
whole."""

from __future__ import annotations

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
    from the pass inwards, can drop it."""

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
    in their memory, and from call to call what no leaf has a part in. `loops` are those of other
    runs: in this one a loop may have had a single round."""
    late = [
        _late(home, loop.union(loops.get(home.maker, ())))
        for home, loop in _homes(flow.recording)
        if home.life.storage not in flow.exempt_storages
        and (home.life.dead_by is not None or home.life.storage not in flow.constants)
    ]
    return tuple(value for value in late if value is not None)


def loops_of(recordings: Iterable[Recording]) -> Loops:
    """The loops of some recordings of one method."""
    loops: dict[Span | None, set[Span | None]] = {}
    for recording in recordings:
        for home, loop in _homes(recording):
            if loop:
                loops.setdefault(home.maker, set()).update(loop)
    return loops


class _Home(NamedTuple):
    """A value's life, and the frame that can drop the value: the `depth`-th from the pass inwards,
    the innermost that ran both when the value was made and when it was last used; none where
    `depth` is 0."""

    recording: Recording
    life: Life
    depth: int
    frame: int | None

    def run(self, position: int) -> tuple[int, Span | None] | None:
        """Which execution of which statement of this frame ran an op, or called what ran it; None
        where this frame was not running."""
        statement, level = _statement(self.recording, position), self.depth - 1
        path = statement.path
        if level < 0 or len(path) <= level or path[level][0] != self.frame:
            return None
        return path[level][1], statement.spans[level]

    @property
    def maker(self) -> Span | None:
        """The statement of this frame that made the value."""
        run = self.run(self.life.born)
        return None if run is None else run[1]

    def loop(self, uses: Iterable[int]) -> set[Span | None]:
        """The statements that ran between uses of the value by one statement in several rounds."""
        loop: set[Span | None] = set()
        last: dict[Span | None, tuple[int, int]] = {}
        for position in uses:
            if position == self.life.born or (run := self.run(position)) is None:
                continue
            execution, span = run
            before, since = last.get(span, (execution, position))
            last[span] = execution, position
            if before != execution:
                runs = map(self.run, range(since, position + 1))
                loop.update(run[1] for run in runs if run is not None)
        return loop


def _homes(recording: Recording) -> Iterator[tuple[_Home, set[Span | None]]]:
    """Of each value, with the statements of the loops that use it in several rounds."""
    uses: dict[int, list[int]] = {}
    for position, op in enumerate(recording.ops):
        for storage in {recording.values[v].storage for v in (*op.reads, *op.writes)}:
            uses.setdefault(storage, []).append(position)
    for life in recording.lives:
        depth = _shared_frames(recording, life.born, life.last_use)
        frame = _statement(recording, life.born).path[depth - 1][0] if depth else None
        home = _Home(recording, life, depth, frame)
        yield home, home.loop(uses.get(life.storage, ()))


def _late(home: _Home, loop: Collection[Span | None]) -> Late | None:
    """The value if it is late. Where its last use is in a loop whose statements are given, those
    that follow in its round do not count as later ones."""
    recording, life, depth, _ = home
    end = _end_of_work(recording)
    end = end if life.dead_by is None else min(life.dead_by, end)
    used = _statement(recording, life.last_use)
    used_by = home.run(life.last_use)
    in_round = used_by is not None and used_by[1] in loop
    later: dict[object, int] = {}
    for position in range(life.last_use + 1, end):
        if recording.ops[position].context == "python":
            continue
        run = home.run(position)
        if run is None or used_by is None:  # no frame could drop it, or that has returned
            in_round = False
            here: object = _statement(recording, position).path
            is_later = here != used.path
        else:
            here = run[0]
            is_later = here != used_by[0]
            if is_later and in_round:
                in_round = run[1] in loop and _is_below(run[1], used_by[1])
                is_later = not in_round
        if is_later:
            later.setdefault(here, position)
    if not later:
        return None
    first = next(iter(later.values()))
    running = min(depth, _shared_frames(recording, life.last_use, first))
    if life.last_use == life.born:  # a helper gave it to a caller that has no use for it
        depth = running
    span = used.spans[depth - 1] if depth else None
    if span not in loop:
        return Late(life, first, len(later), span, running)
    last = max((s for s in loop if s is not None), key=lambda s: (s.unit, s.end_line))
    return Late(life, first, len(later), last, running, is_in_loop=True)


def _is_below(one: Span | None, another: Span | None) -> bool:
    """Whether a statement stands below another: in a round of a loop it comes after it."""
    if one is None or another is None or one.unit != another.unit:
        return False
    return (one.line, one.column) > (another.line, another.column)


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


def _statement(recording: Recording, position: int) -> Statement:
    return recording.statements[recording.ops[position].statement]


def _shared_frames(recording: Recording, one: int, another: int) -> int:
    """How many frames, from the pass inwards, ran both ops, given by position."""
    paths = [_statement(recording, op).path for op in (one, another)]
    same = [own[0] == other[0] for own, other in zip(*paths, strict=False)]
    return [*same, False].index(False)


def _end_of_work(recording: Recording) -> int:
    """The ops but for views of the result at the end: `return y.squeeze()` calculates nothing any
    more. What is stored in `.grad` as a view is no result: intermediates may lie beside it."""
    slot = recording.outputs.get(VALUE)
    end, result = len(recording.ops), None if slot is None else slot.value
    while end and (op := recording.ops[end - 1]) and op_name(op) in VIEWS and result in op.outputs:
        end, result = end - 1, op.reads[0]
    return end


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
