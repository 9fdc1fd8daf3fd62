"""A pass on tensors laid out for trying changes: what its outputs become, at a few points, when the
ops of one expression give something else."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..exercises.adjoint import GRAD_OUTPUT
from ..model import VALUE, Leaf, places
from ..trace.calls import REFUSALS, NotReplayable, refusals
from ..trace.replay import WIDENED, Program
from .graph_tensors import GraphRun, GraphTensors, Rounds, same
from .tensor_changes import Key, OpCall, Pool, Readings, Variant, is_view_of, out_of_place
from .tensor_expressions import Expressions


class State(NamedTuple):
    """A run of a point before one of its steps: the values by number, and the pool."""

    number: int
    values: dict[int, torch.Tensor]
    pool: Pool


class TensorBench(Expressions):
    """A recording whose ops can be changed, expression by expression::

    bench = TensorBench(program, leaves, points)
    for key, state in bench.sweep(0):
        outputs = bench.branch(0, key, state, lambda op: -op.run())

    Each point is run by itself: what changes may have another shape.
    """

    def __init__(
        self,
        program: Program,
        leaves: Sequence[Leaf],
        points: torch.Tensor,
        task: Sequence[GraphTensors],
    ) -> None:
        super().__init__(program, leaves)
        self.task = [*task]
        """At each point the tensors of the task's graph, and of the pass's own where its value is
        right."""
        self.weights = [leaf.name for leaf in leaves if leaf.kind == "weight"]
        self._points = points
        values = enumerate(self._recording.values)
        self._written = {
            number for number, value in values if value.storage in self.flow.last_writes
        }
        """The values that are written to, and the views of them."""
        self._all = [tensors.all for tensors in task]
        self._loops: dict[int, tuple[bool, dict[Key, list[int]]]] = {}
        """By the position of the first round of a loop whether the loops before it with as many
        rounds run the same way, and their expressions."""
        self._in_rounds: dict[tuple[int, int], list[Rounds]] = {}
        self._kept: tuple[int, torch.Tensor, torch.Tensor] | None = None
        """A statement, and what it writes to and did not mean to, with the numbers before it."""
        self._finished: dict[int, list[str]] = {}
        for name in self.widths:
            value = self._recording.outputs[name].value
            writers = self.flow.sources[name]
            making = [
                at
                for at, step in enumerate(self._steps)
                if step.position in writers or value in step.op.outputs
            ]
            if making:
                self._finished.setdefault(making[-1], []).append(name)
        self.work = 0
        self.results: list[dict[int, torch.Tensor]] = []
        """At each point what each op gave, as it was when the op had run."""
        self._ends = [self._whole_run(number) for number in range(len(points))]
        self.work = 0
        """How many ops have run."""

    def sweep(self, number: int) -> Iterator[tuple[Key, State]]:
        """Each expression, in the order in which they run, with the run of one of the points just
        before it. Raises NotReplayable."""
        state = self.begin(number)
        with refusals(), torch.no_grad():
            for at, key in enumerate(self._keys):
                if self._first[key] == at:
                    yield key, state
                for read in self._reads.get(at, ()):
                    yield read, state
                self._advance(at, state, None)

    def count_from(self, key: Key) -> int:
        """How many ops a run has from an expression on, and once more as many as a whole run."""
        return 2 * len(self._steps) - self._first[key]

    def call_of(self, key: Key, state: State) -> OpCall | None:
        """The first op of an expression, about to run; None for what has no operands."""
        seen: list[OpCall] = []

        def look(op: OpCall) -> Any:
            seen.append(op)
            return op.run()

        fork = self._forked(state)
        try:
            self._advance(self._first[key], fork, look)
        except (*REFUSALS, NotReplayable):
            return None
        return seen[0]._replace(pool=state.pool) if seen else None

    def branch(
        self,
        number: int,
        key: Key,
        state: State,
        variant: Variant,
        accepts: Callable[[str, torch.Tensor], bool] = lambda *_: True,
        is_differentiated: bool = False,
    ) -> Mapping[str, torch.Tensor]:
        """The outputs when the ops of an expression give what the variant says; none where torch
        refuses to go on so, or as soon as one is not accepted."""
        fork, changed = self._forked(state), self._changed_by(key)
        self._kept = None
        end = self._ends[number]
        dirty: set[int] = set()
        try:
            with torch.set_grad_enabled(is_differentiated):
                for at in range(self._first[key], len(self._steps)):
                    step = self._steps[at]
                    op = step.op
                    own = variant if step.position in changed else None
                    if own is None and dirty.isdisjoint(op.reads) and not self.is_written(op):
                        fork.values.update((v, end[v]) for v in op.outputs if v in end)
                        fork.pool.update(_named(self._keys[at], op.outputs, end))
                        continue
                    dirty.update(op.outputs)
                    self._advance(at, fork, own)
                    for name in self._finished.get(at, ()):
                        if not accepts(name, self.numbers(name, fork.values)):
                            return {}
            return {name: self.numbers(name, fork.values) for name in self.widths}
        except (*REFUSALS, NotReplayable):
            return {}

    def value(self, number: int, which: int) -> torch.Tensor | None:
        """A value of the run of a point, by its number; None where it is written to."""
        return None if which in self._written else self._ends[number].get(which)

    def last(self, which: int) -> torch.Tensor:
        """A value of the run of the first point, by its number, as it is at the end."""
        return self._ends[0][which]

    def outputs(self, number: int) -> Mapping[str, torch.Tensor]:
        """Those of the pass as it is."""
        return {name: self.numbers(name, self._ends[number]) for name in self.widths}

    def begin(self, number: int) -> State:
        """A run of a point before its first step."""
        point = self._points[number]
        pool: Pool = {}
        for name, place in places(self._leaves_of_task).items():
            shape = next(leaf.shape for leaf in self._leaves_of_task if leaf.name == name)
            pool[name] = point[place.start : place.stop].clone().reshape(shape)
        for leaf in self._leaves_of_task:
            if leaf.integers is not None:
                pool[leaf.name] = torch.tensor(leaf.integers).reshape(leaf.shape)
        return State(number, self._leaves(point, WIDENED), pool)

    def _whole_run(self, number: int) -> dict[int, torch.Tensor]:
        state = self.begin(number)
        self.results.append(self._results_of(state))
        return state.values

    def mended(self, key: Key, variant: Variant) -> dict[int, torch.Tensor]:
        """What each op gives at the first point when an expression gives what the variant says.
        Raises NotReplayable."""
        return self._results_of(self.begin(0), self._changed_by(key), variant)

    def read_by(self, key: Key, variant: Variant) -> list[tuple[str | None, torch.Tensor]]:
        """What a change reads at the first point of what could have been read, with its names, the
        first time that the expression runs."""
        rounds: list[list[tuple[str | None, torch.Tensor]]] = []

        def reading(op: OpCall) -> Any:
            pool = Readings(op.pool)
            result = variant(op._replace(pool=pool))
            rounds.append([(self.name_of(each), op.pool[each]) for each in pool.read])
            return result

        self.mended(key, reading)
        return rounds[0]

    def is_seen(self, frame: int, tensor: torch.Tensor) -> bool:
        """Whether a call of a function, by its number, reads or makes a tensor."""
        statements, ends = self._recording.statements, self._ends[0]
        own = {at for at, each in enumerate(statements) if frame in dict(each.path)}
        ops = (op for op in self._recording.ops if op.statement in own)
        numbers = {number for op in ops for number in (*op.reads, *op.outputs)}
        return any(same(ends.get(number), tensor) for number in numbers)

    def add_own(self) -> None:
        """Takes the tensors of the pass's own graph for the task's, too: its value is right."""
        for number in range(len(self.task)):
            own = self.own_graph(number)
            if own is None:
                return
            self.task[number] = own.joined(self.task[number])
            self._all[number] = self.task[number].all

    def own_graph(
        self, number: int, key: Key | None = None, variant: Variant | None = None
    ) -> GraphTensors | None:
        """The tensors of the graph that leads to the pass's value, when an expression gives what
        the variant says. None where autograd cannot differentiate it."""
        slot = self._recording.outputs.get(VALUE)
        if slot is None:
            return None
        changed = () if key is None else self._changed_by(key)
        forward = self.flow.serving(VALUE)
        state = self.begin(number)
        try:
            run = GraphRun(state.values)
            for at, step in enumerate(self._steps):
                if step.position > max(forward):
                    break
                before = dict(state.values)
                is_forward = step.position in forward or step.position in self.flow.views
                with torch.set_grad_enabled(is_forward):
                    self._advance(at, state, variant if step.position in changed else None)
                    results = [state.values[each] for each in step.op.outputs]
                    if is_forward:
                        again = functools.partial(self._results, step, dtypes=WIDENED)
                        run.add(step.op, before, again, results)
            value = state.values[slot.value]
            adjoint = state.pool.get(GRAD_OUTPUT)
            with torch.enable_grad():
                if adjoint is not None and adjoint.numel() == value.numel():
                    value = value * adjoint.reshape(value.shape)
                return run.tensors(value)
        except (*REFUSALS, NotReplayable):
            return None

    def _results_of(
        self, state: State, changed: Collection[int] = (), variant: Variant | None = None
    ) -> dict[int, torch.Tensor]:
        results: dict[int, torch.Tensor] = {}
        with refusals(), torch.no_grad():
            for at, step in enumerate(self._steps):
                self._advance(at, state, variant if step.position in changed else None)
                if step.op.outputs:
                    results[step.position] = state.values[step.op.outputs[0]]
                    if self.is_written(step.op):
                        results[step.position] = results[step.position].clone()
        return results

    def _advance(self, at: int, state: State, variant: Variant | None) -> None:
        step, key = self._steps[at], self._keys[at]
        self.work += 1
        if self._kept is not None and not self._is_within(step.op.statement, self._kept[0]):
            self._kept[1].copy_(self._kept[2])
            self._kept = None
        call = step.call
        if step.op.writes:
            for value in step.op.writes[:1]:
                if value in state.values:
                    state.pool["before", key] = state.values[value].clone()
        if variant is not None:
            call = self._changed(at, state, variant)
        results = self._results(step, state.values, WIDENED, call)
        state.values.update(zip(step.op.outputs, results, strict=False))
        state.pool.update(_named(key, step.op.outputs, state.values))

    def _pool_of_round(self, rounds: Sequence[int], back: int, state: State) -> Pool:
        """The pool in a round of a loop: of an expression of a loop before, with as many rounds,
        what it was in the round that belongs to this one. Where the first round reads nothing of
        the first there, loops run back."""
        if len(rounds) == 1:
            return state.pool
        if (before := self._loops.get(rounds[0])) is None:
            loops = {
                key: ats
                for key, ats in self.positions.items()
                if key not in self.aliases and len(ats) == len(rounds) and ats[-1] < rounds[0]
            }
            reads = self._recording.ops[rounds[0]].reads
            first = {at for number in reads for at in self.flow.writers(number)}
            before = self._loops[rounds[0]] = (
                any(ats[0] in first for ats in loops.values()),
                loops,
            )
        is_same_way, loops = before
        results, at = self.results[state.number], back if is_same_way else -1 - back
        past = {key: results[ats[at]] for key, ats in loops.items() if key in state.pool}
        return {**state.pool, **past}

    def in_rounds(self, number: int, count: int) -> list[Rounds]:
        """What a loop of so many rounds could have of the task's at a point."""
        if (number, count) not in self._in_rounds:
            self._in_rounds[number, count] = [*self.task[number].in_rounds(count)]
        return self._in_rounds[number, count]

    def add_rounds(self, ats: Sequence[int | None]) -> int:
        """Takes tensors of the task, by their positions in `GraphTensors.all`, for what a loop
        could have, one a round. Gives their position in `in_rounds`."""
        for number, every in enumerate(self._all):
            rounds = [None if at is None else every[at] for at in ats]
            self.in_rounds(number, len(ats)).append(rounds)
        return len(self.in_rounds(0, len(ats))) - 1

    def _changed(self, at: int, state: State, variant: Variant) -> Callable[..., Any]:
        op, call = self._steps[at].op, self._steps[at].call
        rounds = self.positions[self._keys[at]]
        back = rounds.index(self._steps[at].position)
        is_view = self._steps[at].position in self.flow.views
        pool = self._pool_of_round(rounds, back, state)
        task = self._all[state.number]

        def of_round(which: int) -> torch.Tensor | None:
            return self.in_rounds(state.number, len(rounds))[which][back]

        def changed(*args: Any, **kwargs: Any) -> Any:
            if not op.writes:
                result = variant(OpCall(op, call, list(args), kwargs, pool, of_round, task))
                # it may be an operand itself, and be written to, as a view is meant to be
                is_kept = not isinstance(result, torch.Tensor) or (
                    is_view and is_view_of(result, args[0])
                )
                return result if is_kept else result.clone()
            if variant is out_of_place:
                self._kept = (op.statement, args[0], args[0].clone())
            # what is written to is a copy, so that a variant may look at what was there
            into = args[0]

            def on_a_copy(*others: Any, **named: Any) -> Any:
                return call(others[0].clone(), *others[1:], **named)

            return into.copy_(
                variant(OpCall(op, on_a_copy, list(args), kwargs, pool, of_round, task))
            )

        return changed

    def _forked(self, state: State) -> State:
        """A copy of a run: what is written to later is copied, with the views of it."""
        values, pool = dict(state.values), dict(state.pool)
        storages: dict[int, Any] = {}
        copies: dict[int, torch.Tensor] = {}
        for number in self._written & values.keys():
            tensor = values[number]
            own: Any = tensor.untyped_storage()
            if (at := own.data_ptr()) not in storages:
                storages[at] = own.clone()
            place = tensor.storage_offset(), tensor.shape, tensor.stride()
            values[number] = copies[id(tensor)] = tensor.new_empty(0).set_(storages[at], *place)
        if copies:
            pool = {key: copies.get(id(tensor), tensor) for key, tensor in pool.items()}
        return State(state.number, values, pool)


def _named(
    key: Key, outputs: Sequence[int], values: Mapping[int, torch.Tensor]
) -> dict[Any, torch.Tensor]:
    """What an op gives, by its key in a pool: each part of several."""
    parts = enumerate(number for number in outputs if number in values)
    return {(key, at) if at else key: values[number] for at, number in parts}
