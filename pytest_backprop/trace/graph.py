"""The data-flow graph of a recorded pass."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..model import Arg, Op, Recording, Value, is_gradient
from .op_table import OPS, having, of_kind, row_of
from .validate import MAX_ELEMENTS

PLAIN_NUMBERS = frozenset(float(n) / 2 for n in range(-20, 21))
"""Numbers that a student may well have typed: not taken for ones pulled out of a tensor."""

MOVING = having("moving")
SIZED_BY_VALUES = having("sized by values")
SHAPE_ONLY, OVERWRITES = of_kind("like"), of_kind("overwrite")
IDLE = MOVING | of_kind("place", "like", "overwrite")
"""Ops that compute nothing."""


@functools.lru_cache(4096)
def _name_of(target: str) -> str:
    name, _, overload = target.partition("::")[2].partition(".")
    return f"{name}_reduce" if "reduce" in overload and name.startswith("scatter") else name


def op_name(op: Op) -> str:
    """The op's name without namespace and overload: `mul` for `aten::mul.Tensor`. What adds or
    multiplies where it puts (`scatter.reduce`, `index_put_` with accumulate) is another op."""
    name = _name_of(op.target)
    if name.startswith(("index_put", "_index_put")) and True in op.args[3:]:
        return f"{name}_accumulate"
    return name


def puts_together(op: Op) -> bool:
    """Whether it lays its operands out one behind the other."""
    dim = op.args[1] if len(op.args) > 1 else op.kwargs.get("dim", 0)
    return op.target == "torch::tensor" or (op_name(op) in ("stack", "cat") and dim == 0)


def is_sized_by_values(op: Op, values: Sequence[Value]) -> bool:
    """Whether an op's results have more or fewer elements, by the values they read."""
    name = op_name(op)
    by_mask = name == "index" and any(values[v].dtype == "bool" for v in op.reads)
    return by_mask or name in SIZED_BY_VALUES


def computes(name: str) -> bool:
    """Whether an op of this name calculates, rather than moves data or makes room for it."""
    return name not in IDLE


def rounds(name: str, args: Sequence[object]) -> bool:
    """Whether an op of this name rounds what it calculates: what is chosen of some numbers stays
    equal to it, as by `amax` or a norm of order inf."""
    chooses = "choosing" in row_of(name).traits or any(
        type(arg) is float and math.isinf(arg) for arg in args
    )
    return computes(name) and not chooses


def fill_of(op: Op) -> Arg:
    """The number that an op fills its result with: one of its own, or an operand."""
    row = OPS[op_name(op)]
    if row.filled_by is None:
        return row.fills
    return op.args[row.filled_by]


def elements(value: Value) -> tuple[int, ...]:
    """Positions in the storage of a value's elements, row-major."""
    places = [value.offset]
    for size, stride in zip(value.shape, value.strides, strict=True):
        steps = [i * stride for i in range(size)]
        places = places if size == 1 else [place + step for place in places for step in steps]
    return tuple(places)


class DataFlow:
    """Who reads whose result in a recording::

        flow = DataFlow(recording)
        unread = set(range(len(recording.ops))) - flow.reached - flow.views
        of_dw0 = [recording.ops[at].target for at in sorted(flow.serving("grad.w0"))]

    Ops are told by their positions in the recording. Edges go from the op that last wrote an
    element of a storage to the ops that read that element. So a tape kept in one vector, a gradient
    written into `zeros(2)`, and views of views all keep their flow apart. Reads for shape alone
    (`ones_like(t)`) carry no data and make no edge. Views are no producers: no path leads through
    them."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.producers: list[frozenset[int]] = []
        """For each op, the ops whose results it reads."""
        self._elements: dict[int, tuple[int, ...]] = {}
        # a storage with a larger view is taken as a whole
        self._large = {v.storage for v in recording.values if math.prod(v.shape) > MAX_ELEMENTS}
        self._writer: dict[int, dict[int, int]] = defaultdict(dict)
        """By storage, and by position there, the op that wrote last."""
        self._present = {v.storage for v in recording.values if v.origin not in ("op", "constant")}
        self.views: set[int] = set()
        """Ops that only look at a value in another shape; they compute nothing."""
        for position, op in enumerate(recording.ops):
            read = map(self.writers, self.data_reads(position))
            self.producers.append(frozenset[int]().union(*read))
            self._write(position, op)

    def writers(self, value: int, element: int | None = None) -> set[int]:
        """The ops that made the elements of a value, or one of them, as of the end of the pass; of
        one element of a large value, all that did."""
        positions = self.positions(value)
        writer = self._writer[self.recording.values[value].storage]
        if element is not None and 0 <= element < len(positions):
            positions = (positions[element],)
        return {at for at in map(writer.get, positions) if at is not None}

    def with_views(self, ops: Iterable[int]) -> tuple[set[int], set[int]]:
        """Ops with the views that they and the outputs need, and the values that all of these read
        or change."""
        recording = self.recording
        needed = set(ops)
        wanted = {slot.value for slot in recording.outputs.values()}
        for position in needed:
            wanted.update(recording.ops[position].reads, recording.ops[position].writes)
        for position in sorted(self.views, reverse=True):
            if wanted.intersection(recording.ops[position].outputs):
                wanted.update(recording.ops[position].reads)
                needed.add(position)
        return needed, wanted

    @cached_property
    def structure(self) -> object:
        """What runs, and on whose results: equal for recordings of the same ops on tensors of
        other sizes. It can be hashed."""
        recording = self.recording
        ops = [(o.target, o.context, o.site, o.reads, o.writes, o.outputs) for o in recording.ops]
        values = [(value.origin, value.dtype, value.storage) for value in recording.values]
        ends = [(name, frozenset(makers)) for name, makers in sorted(self.sources.items())]
        return (*ops,), (*values,), (*self.producers,), (*ends,)

    @cached_property
    def sources(self) -> dict[str, set[int]]:
        """For each output the ops that made it; none for one that the recording does not have."""
        slots = self.recording.outputs
        writers = {name: self.writers(at.value, at.element) for name, at in slots.items()}
        return defaultdict(set, writers)

    def part_of(self, position: int, element: int) -> int | None:
        """The operand that became one element of what a stack, cat or assembly made."""
        refs = self.recording.ops[position].reads
        sizes = [math.prod(self.recording.values[v].shape) for v in refs]
        for value, size in zip(refs, sizes, strict=True):
            if element < size:
                return value
            element -= size
        return None

    def upstream(self, sources: set[int]) -> set[int]:
        """The ops from which data reaches `sources`, themselves included."""
        seen: set[int] = set()
        todo = list(sources)
        while todo:
            position = todo.pop()
            if position not in seen:
                seen.add(position)
                todo.extend(self.producers[position])
        return seen

    def serving(self, *outputs: str) -> set[int]:
        """The ops from which data reaches one of these outputs."""
        return self.upstream(set().union(*(self.sources[name] for name in outputs)))

    @cached_property
    def reached(self) -> set[int]:
        """Ops from which data reaches an output."""
        return self.serving(*self.sources)

    @cached_property
    def looked_at(self) -> set[int]:
        """Ops from which data reaches what Python looks at: `if t > 0`, an index, a number of
        rounds, what is printed; or a size that depends on values."""
        looked: set[int] = set()
        values = self.recording.values
        for position, op in enumerate(self.recording.ops):
            if op.context == "python":
                looked |= self.producers[position]
            elif is_sized_by_values(op, values):
                looked.add(position)
        return self.upstream(looked)

    @cached_property
    def exempt_storages(self) -> set[int]:
        """Storages of the outputs, with what reaches a gradient by data movement alone."""
        values = self.recording.values
        kept = {
            (values[slot.value].storage, place)
            for name, slot in self.recording.outputs.items()
            if is_gradient(name)
            for element, place in enumerate(self.positions(slot.value))
            if slot.element in (None, element)
        }
        for position, op in reversed([*enumerate(self.recording.ops)]):
            if position in self.views or op_name(op) not in MOVING:
                continue
            for value in (*op.outputs, *op.writes):
                for at, place in enumerate(self.positions(value)):
                    if (values[value].storage, place) not in kept:
                        continue
                    part = self.part_of(position, at) if puts_together(op) else None
                    for source in self.data_reads(position) if part is None else (part,):
                        kept.update((values[source].storage, p) for p in self.positions(source))
        storages = {storage for storage, _ in kept}
        return storages | self.recording.storages_of() | self._leaf_copies()

    @cached_property
    def constants(self) -> set[int]:
        """Storages of what ops make of no weight, no input and nothing that was there before, as
        labels are: a mask of the sizes; and what was there before and got nothing of a weight or
        an input, as a counter of steps."""
        storages = {value.storage: value.origin for value in reversed(self.recording.values)}
        before = {storage for storage, origin in storages.items() if origin == "foreign"}
        leaves = {s for s, origin in storages.items() if origin in ("weight", "input")}
        return storages.keys() - self._reached_from(leaves | before) | (
            before - self._reached_from(leaves)
        )

    def _reached_from(self, storages: set[int]) -> set[int]:
        """These and those that get something of them. After Python has looked at one, or a size has
        told of its numbers, as that of `x[x > 0]` does, that is all that is written to."""
        values, reached, looked = self.recording.values, set(storages), False
        for position, op in enumerate(self.recording.ops):
            reads = any(values[v].storage in reached for v in self.data_reads(position))
            tells = op.context == "python" or is_sized_by_values(op, values)
            looked |= reads and tells
            if reads or looked:
                reached.update(values[v].storage for v in (*op.outputs, *op.writes))
        return reached

    def _leaf_copies(self) -> set[int]:
        """Storages that hold weights or inputs, copied by data movement alone
        (`self.w.clone()`)."""
        values = self.recording.values
        leaves = {v.storage for v in values if v.origin in ("weight", "input")}
        copies: set[int] = set()
        for position, op in enumerate(self.recording.ops):
            if op_name(op) not in MOVING or op.writes:
                continue
            sources = {values[v].storage for v in self.data_reads(position)}
            if sources and sources <= leaves | copies:
                copies.update(values[v].storage for v in op.outputs)
        return copies - self.last_writes.keys()

    def with_makers(self, users: set[int]) -> set[int]:
        """These ops, and those that made the storages that they read or write to, and what such
        ops take: all that was in there may be written over, `dx = x.clone()` before a loop."""
        values, ops = self.recording.values, self.recording.ops
        needed, new = set(users), users
        while new:
            touched = {values[v].storage for p in new for v in (*ops[p].reads, *ops[p].writes)}
            makers = {
                position
                for position, op in enumerate(ops)
                if position not in self.views
                and not op.writes
                and any(values[v].storage in touched for v in op.outputs)
            }
            new = self.upstream(makers) - needed
            needed |= new
        return needed

    @cached_property
    def rooms(self) -> set[int]:
        """Ops that only made room for others: `zeros(2)`, `zeros(2).to(x.dtype)`."""
        rooms: set[int] = set()
        for position, op in enumerate(self.recording.ops):
            is_copy = row_of(op_name(op)).kind == "copy" and len(op.reads) == 1
            sources = self.producers[position] if is_copy else frozenset[int]()
            if not op.writes and (not self.data_reads(position) or (sources and sources <= rooms)):
                rooms.add(position)
        others = set(range(len(self.recording.ops))) - rooms
        cast = set[int]().union(*(self.producers[position] for position in rooms))
        return rooms & (self.with_makers(others) | cast)

    def is_written(self, position: int, after: int = -1) -> bool:
        """Whether some op writes to what an op gives, behind a position if there is one."""
        made = (self.recording.values[v].storage for v in self.recording.ops[position].outputs)
        return any(self.last_writes.get(storage, -1) > after for storage in made)

    def is_written_later(self, position: int) -> bool:
        """Whether a later op writes to what an op gives."""
        return self.is_written(position, position)

    @cached_property
    def last_writes(self) -> dict[int, int]:
        """For each storage that is written to, the last op that does so."""
        values, ops = self.recording.values, enumerate(self.recording.ops)
        return {values[value].storage: position for position, op in ops for value in op.writes}

    def data_reads(self, position: int) -> tuple[int, ...]:
        """The values whose data an op reads."""
        op = self.recording.ops[position]
        name = op_name(op)
        if name in SHAPE_ONLY:
            return op.reads[1:]  # all but the tensor whose shape it takes
        if "out" in op.kwargs:  # encoded last, and written over
            return op.reads[: len(op.reads) - len(op.writes)]
        if name in OVERWRITES and not any(self._in_large(v) for v in op.writes):
            return tuple(v for v in op.reads if v not in op.writes)
        return op.reads

    def _write(self, position: int, op: Op) -> None:
        values = self.recording.values
        fresh = False
        for value in op.outputs:
            storage = values[value].storage
            if storage in self._present:
                continue
            fresh = True
            self._writer[storage].update(dict.fromkeys(self.positions(value), position))
        self._present.update([values[value].storage for value in op.outputs])
        for value in op.writes:
            written = dict.fromkeys(self.positions(value), position)
            self._writer[values[value].storage].update(written)
        if op.outputs and not fresh and not op.writes:
            self.views.add(position)

    def positions(self, value: int) -> tuple[int, ...]:
        """Where a value's elements lie in its storage, row-major; -1 for all of them where that is
        taken as a whole, and for none."""
        if value not in self._elements:
            large = self._in_large(value)
            # a value without elements has a maker all the same
            places = () if large else elements(self.recording.values[value])
            self._elements[value] = places or (-1,)
        return self._elements[value]

    def _in_large(self, value: int) -> bool:
        """Whether a value lies in a storage that is taken as a whole."""
        return self.recording.values[value].storage in self._large
