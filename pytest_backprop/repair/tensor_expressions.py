"""The expressions of a pass on tensors: an op in a line, in all rounds of a loop, or what reads a
value by a name that a line gave it, which runs no op."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch

from ..exercises.adjoint import GRAD_OUTPUT
from ..model import Leaf, Op, Span, places
from ..trace.graph import MOVING, op_name
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
        self._steps = [step._replace(call=self._call(step.op, step.call)) for step in self._steps]
        self._leaves_of_task = leaves
        starts = {place.start: name for name, place in places(leaves).items()}
        sent = [v for v in self._recording.values if v.origin in ("weight", "input")]
        names = {value.storage: starts.get(value.leaf) for value in sent}
        self._sent = {storage: name for storage, name in names.items() if name != GRAD_OUTPUT}
        """The names of the task's leaves, by their storage."""
        kept = {leaf.name for leaf in leaves if not leaf.written}
        self.unwritten = {storage for storage, name in names.items() if name in kept}
        """The storages of what is sent and may not be written to."""
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
        same places, or go there once more to write: `t[i] -= 1` is both."""
        self._first = {key: at for at, key in reversed([*enumerate(self._keys)])}
        self._reads: dict[int, list[Key]] = {}
        self.aliases: dict[Key, Alias] = {}
        """Of expressions that only give a value another name the lines that do."""
        self.read: dict[Key, frozenset[int]] = {}
        """By such an expression the numbers of the values, one a round."""
        self._unpacked: Mapping[Span, Sequence[str]] = {}
        self.read_names: dict[Key, frozenset[str]] = {}
        """By such an expression the names that stand where it is read."""
        ops = enumerate(self._recording.ops)
        makers = [(each, at) for at, op in ops for each in op.outputs if each not in op.writes]
        self._makers = dict(reversed(makers))
        """By its number the position of the op that made a value."""
        self._dead_by = {life.storage: life.dead_by for life in self._recording.lives}

    def add_reads(
        self, serving: Collection[int], right_outputs: Collection[int], aliases: Aliases
    ) -> None:
        """Takes what is read by another name than its own for an expression, too: the line that
        gave it that (`dz = da`), in all rounds of a loop, or the call that handed it on. Neither
        runs an op. None where it gives that name to what is right, or to one of the outputs that
        are, by the numbers of their values."""
        readers: dict[Alias, dict[int, list[int]]] = {}
        right: set[object] = set()
        """Lines whose name something right is read by: as a whole where they say what it was, else
        with the number of that value."""
        self._unpacked = aliases.unpacked
        written: set[tuple[Alias, int]] = set()
        """Lines with the storages that were written to by that name."""
        for at, step in enumerate(self._steps):
            for number in {*step.op.reads} if not step.op.writes else {*step.op.writes[:1]}:
                alias = self._alias(step.op, number, aliases)
                if alias is None or (alias, self._storage(number)) in written:
                    continue
                if step.op.writes:
                    written.add((alias, self._storage(number)))
                if alias.is_returned and number in right_outputs:
                    right.add((alias, number))
                elif step.position not in serving:
                    readers.setdefault(alias, {}).setdefault(number, []).append(at)
                elif alias.of == self._name(number):
                    right.add(alias)
                else:
                    right.add((alias, number))
        for alias, every in readers.items():
            by_number = {n: steps for n, steps in every.items() if (alias, n) not in right}
            if alias in right or not by_number:
                continue
            groups = [(frozenset([number]), steps) for number, steps in by_number.items()]
            if alias.of and not all(self._is_whole(steps) for steps in by_number.values()):
                groups = [(frozenset(by_number), sorted({*itertools.chain(*by_number.values())}))]
            for numbers, steps in groups:
                key = (alias.site, f"read {alias.of} as {alias.name}", min(numbers))
                self.aliases[key] = alias
                self.read[key] = numbers
                sites = [self._steps[at].op.site for at in steps]
                self.read_names[key] = frozenset().union(*map(aliases.names_at, sites))
                self.positions[key] = [self._steps[at].position for at in steps]
                self._first[key] = steps[0]
                self._reads.setdefault(steps[0], []).append(key)

    def add_calls(self) -> None:
        """Takes what one of several calls of a function gives for an expression, too, at the line
        that calls it: there something may be left out of it."""
        statements, ops = self._recording.statements, self._recording.ops
        steps = {step.position: at for at, step in enumerate(self._steps)}
        counts: Counter[tuple[Span, str]] = Counter()
        for (_, target, _), ats in [*self.positions.items()]:
            by_call: dict[Span, list[int]] = {}
            for at in () if ats[0] in self.flow.views else ats:
                for call in statements[ops[at].statement].spans[-2:-1]:
                    if call is not None:
                        by_call.setdefault(call, []).append(at)
            for call, own in by_call.items() if len(by_call) > 1 else ():
                key = (call, f"call {target}", counts[call, target])
                counts[call, target] += 1
                self.aliases[key] = Alias(call, "", "")
                self.positions[key] = own
                self._first[key] = steps[own[0]]
                self._reads.setdefault(steps[own[0]], []).append(key)

    def _call(self, op: Op, call: Callable[..., Any]) -> Callable[..., Any]:
        """What runs an op where a change gives more numbers than one."""
        if op.target == "aten::fill_.Tensor":
            return torch.ops.aten.copy_
        # `d[..., None]` of a number
        if op_name(op) == "unsqueeze" and not self._recording.values[op.reads[0]].shape:
            return lambda tensor, _: tensor.unsqueeze(-1)
        return call

    def _is_whole(self, steps: Sequence[int]) -> bool:
        """Whether these are all rounds of their expressions."""
        counts = Counter(self._keys[at] for at in steps)
        return all(len(self.positions[key]) == count for key, count in counts.items())

    def _alias(self, op: Op, number: int, aliases: Aliases) -> Alias | None:
        """The line that gave an operand, which its own statement does not make, another name; or
        the call of the function that reads it, if it was made before."""
        recording, at = self._recording, self._makers.get(number)
        maker = None if at is None else recording.ops[at]
        own = recording.statements[op.statement]
        if op.site is None or (maker is not None and maker.statement == op.statement):
            return None
        call = own.spans[-2] if len(own.spans) > 1 else None
        if call is not None and aliases.reads_all(op.site):
            path = () if maker is None else recording.statements[maker.statement].path
            if own.path[-1][0] not in dict(path):
                return Alias(call, "", "")
        is_sent = maker is None or maker.site is None
        return aliases.read_at(op.site, self._name(number), is_sent)

    def _name(self, number: int) -> str | None:
        """What the student calls a value."""
        at = self._makers.get(number)
        if at is None:
            return self._sent.get(self._storage(number))
        op = self._recording.ops[at]
        if op.site is not None and (names := self._unpacked.get(op.site)) is not None:
            return dict(zip(op.outputs, names, strict=False)).get(number)
        is_moved = at in self.flow.views or op_name(op) in MOVING
        return self._name(op.reads[0]) if op.name is None and op.reads and is_moved else op.name

    def _storage(self, number: int) -> int:
        return self._recording.values[number].storage

    def name_of(self, key: object) -> str | None:
        """The name of what an expression gives, or of a leaf."""
        return self.op(key).name if key in self.positions else key if isinstance(key, str) else None

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

    def _is_within(self, inner: int, outer: int) -> bool:
        """Whether a statement is another, or is run by what that calls."""
        path = self._recording.statements[outer].path
        return self._recording.statements[inner].path[: len(path)] == path

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
            elif step.position in self.flow.views and self.is_written(op):
                reader = readers.setdefault((op.statement, op.site, op.target, op.args), key)
                if reader != key:
                    partners.setdefault(reader, []).append(step.position)
        return partners


def arguments(op: Op) -> list[str]:
    """The names of an op's operands, by torch."""
    overload = overload_of(op.target)
    return [] if overload is None else [argument.name for argument in schema(overload).arguments]
