"""The expressions of a pass on tensors: an op in a line, in all rounds of a loop, or what reads a
value by a name that a line gave it, which runs no op."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import torch

from ..model import Leaf, Op, Span, places
from ..trace.graph import op_name
from ..trace.op_table import overload_of
from ..trace.replay import Program
from ..trace.torch_private import schema
from .tensor_aliases import Alias, Aliases
from .tensor_changes import Key
from .tensor_names import GradientNames


class Expressions(Program):
    """A program, and the expressions of which its ops are."""

    def __init__(self, program: Program, leaves: Sequence[Leaf]) -> None:
        vars(self).update(vars(program))
        # by `fill_` torch assigns a single number; a change may give more of them
        fills = {"aten::fill_.Tensor": torch.ops.aten.copy_}
        self._steps = [s._replace(call=fills.get(s.op.target, s.call)) for s in self._steps]
        self._leaves_of_task = leaves
        starts = {place.start: name for name, place in places(leaves).items()}
        sent = [v for v in self._recording.values if v.origin in ("weight", "input")]
        self._sent = {value.storage: starts.get(value.leaf) for value in sent}
        """The names of leaves, by their storage."""
        self.names = GradientNames(self.flow, leaves)
        counts: Counter[tuple[int, Span | None, str]] = Counter()
        self.positions: dict[Key, list[int]] = {}
        """By expression the positions of its ops, in order."""
        self._keys: list[Key] = []
        for step in self._steps:
            op = step.op
            at = (op.statement, op.site, op.target)
            key = (op.site, op.target, counts[at])
            counts[at] += 1
            self._keys.append(key)
            self.positions.setdefault(key, []).append(step.position)
        outputs = {slot.value for slot in self._recording.outputs.values()}
        read = {number for step in self._steps for number in step.op.reads} | outputs
        self.unread = {
            key
            for key, step in zip(self._keys, self._steps, strict=True)
            if read.isdisjoint(step.op.outputs)
        }
        """Expressions whose results nothing reads."""
        self.partners = self._written_back()
        """By an expression that reads places of a tensor the ops of its statement that write to the
        same places: `t[i] -= 1` is both."""
        self._first = {key: at for at, key in reversed([*enumerate(self._keys)])}
        self._reads: dict[int, list[Key]] = {}
        self.aliases: dict[Key, Alias] = {}
        """Of expressions that only give a value another name the lines that do."""
        self.read: dict[Key, frozenset[int]] = {}
        """By such an expression the numbers of the values, one a round."""
        self._dead_by = {life.storage: life.dead_by for life in self._recording.lives}

    def add_reads(self, serving: Collection[int], aliases: Aliases) -> None:
        """Takes what is read by another name than its own for an expression, too: the line that
        gave it that (`dz = da`), in all rounds of a loop, or the call that handed it on. Neither
        runs an op. None where it gives that name to what is right."""
        readers: dict[Alias, dict[int, list[int]]] = {}
        right: set[Alias] = set()
        for at, step in enumerate(self._steps):
            for number in {*step.op.reads} if not step.op.writes else ():
                alias = self._alias(step.op, number, aliases)
                if alias is not None and step.position not in serving:
                    readers.setdefault(alias, {}).setdefault(number, []).append(at)
                elif alias is not None and alias.of == self._name(number):
                    right.add(alias)
        for alias, by_number in readers.items():
            if alias.name and alias in right:
                continue
            groups = [(frozenset([number]), steps) for number, steps in by_number.items()]
            if alias.name and not all(self._is_whole(steps) for steps in by_number.values()):
                every = {at for steps in by_number.values() for at in steps}
                groups = [(frozenset(by_number), sorted(every))]
            for numbers, steps in groups:
                key = (alias.site, "read", min(numbers))
                self.aliases[key] = alias
                self.read[key] = numbers
                self.positions[key] = [self._steps[at].position for at in steps]
                self._first[key] = steps[0]
                self._reads.setdefault(steps[0], []).append(key)

    def _is_whole(self, steps: Sequence[int]) -> bool:
        """Whether these are all rounds of their expressions."""
        counts = Counter(self._keys[at] for at in steps)
        return all(len(self.positions[key]) == count for key, count in counts.items())

    def _alias(self, op: Op, number: int, aliases: Aliases) -> Alias | None:
        """The line that gave an operand, which its own statement does not make, another name; or
        the call of the function that reads it, if it was made before."""
        recording = self._recording
        own = recording.statements[op.statement]
        made = [recording.ops[at] for at in sorted(self.flow.writers(number))]
        if op.site is None or any(each.statement == op.statement for each in made):
            return None
        call = own.spans[-2] if len(own.spans) > 1 else None
        if call is not None and aliases.reads_all(op.site):
            (frame, _), paths = own.path[-1], [recording.statements[m.statement].path for m in made]
            return None if any(frame in dict(path) for path in paths) else Alias(call, "", "")
        return aliases.read_at(op.site, self._name(number))

    def _name(self, number: int) -> str | None:
        """What the student calls a value."""
        recording, made = self._recording, self.flow.writers(number)
        own = self._sent.get(recording.values[number].storage)
        return recording.ops[max(made)].name if made else own

    def op(self, key: Key) -> Op:
        """The first op of an expression."""
        return self._recording.ops[self.positions[key][0]]

    def is_released(self, key: Key, before: Key) -> bool:
        """Whether what an expression gives is gone when another runs."""
        if key not in self.positions:
            return False  # a leaf, or what was written to
        recording, position = self._recording, self.positions[key][-1]
        outputs = recording.ops[position].outputs[:1]
        ends = [self._dead_by.get(recording.values[each].storage) for each in outputs]
        return any(end is not None and end <= self.positions[before][0] for end in ends)

    def is_written(self, op: Op) -> bool:
        """Whether what an op reads or gives is written to at some time."""
        touched = {self._recording.values[v].storage for v in (*op.reads, *op.writes, *op.outputs)}
        return not touched.isdisjoint(self.flow.last_writes)

    def _changed_by(self, key: Key) -> set[int]:
        return {*self.positions[key], *self.partners.get(key, ())}

    def _written_back(self) -> dict[Key, list[int]]:
        partners: dict[Key, list[int]] = {}
        readers: dict[tuple[object, ...], Key] = {}
        for step, key in zip(self._steps, self._keys, strict=True):
            op = step.op
            if op_name(op) == "index":
                readers[op.statement, op.args[1]] = key
            elif op_name(op).startswith("index_put") and (op.statement, op.args[1]) in readers:
                reader = readers[op.statement, op.args[1]]
                partners.setdefault(reader, []).append(step.position)
        return partners


def arguments(op: Op) -> list[str]:
    """The names of an op's operands, by torch."""
    overload = overload_of(op.target)
    return [] if overload is None else [argument.name for argument in schema(overload).arguments]
