"""Lines that write to what they should not write to, and rooms to which nothing is written."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import torch

from ..model import VALUE
from ..trace.graph import DataFlow, op_name
from .graph_tensors import same
from .tensor_aliases import Aliases
from .tensor_bench import TensorBench
from .tensor_changes import Key, after, by
from .tensor_edits import COMPARISONS, TensorEdit
from .tensor_hits import Mended
from .tensor_slopes import WantedOutputs
from .tensor_standing import Standings, alone

CHOOSING = ("maximum", "minimum", "where", *COMPARISONS)
"""What takes one of two numbers by their size."""


def changed_in_place(bench: TensorBench, standing: Standings, aliases: Aliases) -> Mended | None:
    """The line that first writes to what the pass is called with, and leaves other numbers there;
    or to what it gives another name (`h = o.mul_(t)`), though something wrong reads it by its own.
    """
    before = bench.begin(0).values
    ops, values = bench.flow.recording.ops, bench.flow.recording.values
    wrong = set().union(*standing.reaching) - standing.serving
    touched = [{values[n].storage for n in (*op.reads, *op.writes)} for op in ops]
    for position, key in sorted(standing.keys.items()):
        op = ops[position]
        if op.writes and key[0] is not None:
            own, written = aliases.changed_at(op.site), {*op.writes}
            readers = [p for p in wrong if p > position and written.intersection(ops[p].reads)]
            is_other = op.name is not None and own != op.name.partition("[")[0]
            is_read = is_other and any(own in aliases.names_at(ops[p].site) for p in readers)
            is_as_before = all(n in before and same(before[n], bench.last(n)) for n in written)
            sent = {values[n].storage for n in written if not is_as_before} & {*bench.unwritten}
            later = {p for p in range(position, len(ops)) if sent & touched[p]}
            if is_read or (sent and all(later & up for up in standing.reaching)):
                return Mended(key, position, TensorEdit("in place", 3.0, lambda op: op.run()))
    return None


def stray_line(bench: TensorBench) -> Mended | None:
    """The one line that writes to something right after all that reads it, and changes it."""
    ops, values = bench.flow.recording.ops, bench.flow.recording.values
    reached = bench.flow.reached
    read = {values[number].storage for p in reached for number in ops[p].reads}
    stray: set[Key] = set()
    for key, state in bench.sweep(0):
        p = bench.positions[key][0]
        written = {values[number].storage for number in ops[p].writes}
        if p in reached or not written & read:
            continue
        later = {values[number].storage for op in ops[p + 1 :] for number in op.reads}
        before = [state.values.get(number) for number in ops[p].writes]
        if not written & later and not any(same(v, bench.results[0][p]) for v in before):
            stray.add(key)
    # what only leads there is not read anywhere else either
    return alone(bench, stray)


def unadded(bench: TensorBench, wanted: WantedOutputs) -> Key | None:
    """What makes room to which nothing is added, where all that is wrong is zeros because of it:
    with ones there it is none. None where several lines do, or where something is written to what
    is no room."""
    flow, ops = bench.flow, bench.flow.recording.ops
    if _is_misplaced(flow):
        return None
    serving = flow.serving(*wanted.right)
    empty: dict[int, Key] = {}
    for key, state in bench.sweep(0):
        at = bench.positions[key][0]
        has_name = ops[at].name is not None or VALUE not in wanted.wrong
        if key[0] is None or not has_name or flow.data_reads(at):
            continue
        if at not in serving and not _is_added_to(flow, at):
            other = bench.branch(0, key, state, after(by(torch.ones_like)))
            if other and all(other[name].any() for name in wanted.wrong):
                empty[key[0].line] = key
    return next(iter(empty.values())) if len(empty) == 1 else None


def _is_misplaced(flow: DataFlow) -> bool:
    """Whether numbers are written to what is no room for them: a leaf, or what an op gave."""
    values, ops = flow.recording.values, [*enumerate(flow.recording.ops)]

    def storages(numbers: Iterable[int]) -> set[int]:
        floats = (values[each] for each in numbers if values[each].dtype.startswith("float"))
        return {value.storage for value in floats}

    filled = (at for at, op in ops if op.writes and not flow.data_reads(at))
    rooms = storages(each for at in (*flow.rooms, *filled) for each in ops[at][1].outputs)
    for _, group in itertools.groupby(ops, lambda each: each[1].statement):
        own = [*group]
        fresh = [op for at, op in own if not op.writes and at not in flow.views]
        made = storages(each for op in fresh for each in op.outputs)
        written = storages(each for _, op in own for each in op.writes) - made
        read = storages(each for _, op in own for each in op.reads) - made - written
        is_filled = any(op_name(op) == "copy_" for _, op in own)  # of what it reads itself, too
        if written - rooms and (read or is_filled):
            return True
    return False


def _is_added_to(flow: DataFlow, room: int) -> bool:
    """Whether something is written to a room, or added to it under its own name; or zeros are what
    something is compared with."""
    ops = flow.recording.ops
    readers = [op for at, op in enumerate(ops) if room in flow.producers[at]]
    if flow.is_written_later(room) or any(op_name(op) in CHOOSING for op in readers):
        return True
    joins = (op for op in ops if op_name(op) in ("add", "sub"))
    sums = {op.statement for op in joins if op.name == ops[room].name}
    return any(op.statement in sums and room in flow.producers[at] for at, op in enumerate(ops))
