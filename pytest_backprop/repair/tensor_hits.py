"""The changes of one expression that make a pass on tensors right.

Every expression on the way to all that is wrong is changed in turn, by each of the usual mistakes
(`tensor_edits`), by a factor that two runs tell, and to a sum of the task's of which it has a term;
and the rest of the pass runs again. A change that makes every output right at every point, and
leaves right what is, is certain to be enough. What an output that is right is made of is not
changed.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..model import VALUE, Leaf, Op
from ..trace.calls import REFUSALS
from ..trace.graph import op_name
from .graph_tensors import same
from .tensor_bench import State, TensorBench
from .tensor_changes import (
    Key,
    OpCall,
    Readings,
    Variant,
    added_up,
    added_up_by,
    after,
    alone,
    changed,
    first_times,
    from_pool,
    instead,
    of_task,
    read_as,
    times,
    times_before,
    weighed,
    with_decay,
    with_product,
)
from .tensor_edits import TensorEdit, broadcasts, edits, lacking
from .tensor_expressions import arguments
from .tensor_slopes import Slopes, WantedOutputs, kind_of, plain, slopes_of, usual_factors
from .tensor_task_edits import INSTEAD, LOST_TERM, TaskEdits, numbers_of

SCALED = ("_softmax", "_log_softmax", "exp", "log", "sigmoid", "tanh")
"""Functions whose operand is often first multiplied by a number."""
WORK = 300_000
"""Ops that a search may run, each round of it half of what is left."""
AS_NAMED, HANDED_ON = 2.0, 2.3
"""The cost of a factor that a line lacks which gives a value a name; that a call lacks, or what
hands a value on: a function that is called may lack it as well."""


class Mended(NamedTuple):
    """An expression, the position of the first of its ops that a change makes different, the
    change, which makes everything right, and how unlikely that is."""

    key: Key
    position: int
    edit: TensorEdit
    rank: float = 0.0

    @property
    def line(self) -> tuple[int, int] | None:
        """Where the expression stands: the unit, and the line there."""
        site = self.key[0]
        return None if site is None else (site.unit, site.line)


class Costs(NamedTuple):
    """The changes that a round of the search tries: those that cost more, up to so much."""

    above: float
    within: float

    def take(self, cost: float) -> bool:
        """Whether a change is tried."""
        return self.above < cost <= self.within


RELEASED = 0.5
"""What it costs more where something is read that the pass no longer has there."""
UNREAD = 0.7
"""What it costs less where something is read that was made for nothing."""
ROUNDS = (Costs(0, 1.8), Costs(1.8, 3.0), Costs(3.0, math.inf))
"""The likely changes are tried first, of all expressions."""


class TensorSearch:
    """The changes that are tried, at the first point of a bench; what is right there is held
    against the others."""

    def __init__(
        self,
        bench: TensorBench,
        wanted: WantedOutputs,
        leaves: Sequence[Leaf],
        reads_right: Callable[[int], bool],
    ) -> None:
        self._bench, self._wanted = bench, wanted
        self._usual = usual_factors(leaves) if VALUE in wanted.wrong else []
        ops = bench.flow.recording.ops
        typed = {float(arg) for op in ops for arg in op.args if isinstance(arg, int | float)}
        self._plain_numbers = {*typed, *usual_factors(leaves)}
        """Those that stand in the pass, and those that could."""
        self._own = bench.outputs(0)
        self._task_edits = TaskEdits(bench, reads_right, self._is_plain)
        self._slopes: dict[Key, Slopes | None] = {}
        self._until = math.inf
        """The work at which the changes of an expression end."""
        self._factors_of: dict[Key, list[TensorEdit]] = {}
        self._reaching = [bench.flow.serving(name) for name in wanted.wrong]

    def hits(
        self,
        serving: Collection[int],
        costs: Costs,
        asks: Callable[[set[int]], bool] = lambda _: True,
    ) -> list[Mended]:
        """The changes of such costs that make all right, but for those of ops that serve what is
        right."""
        bench = self._bench
        hits: list[Mended] = []
        asked = {key for key in bench.positions if self._is_asked(key, serving, asks)}
        end = (bench.work + WORK) / 2
        parts = {key: bench.count_from(key) for key in asked}
        share = 0.0
        for key, state in ((k, s) for k, s in bench.sweep(0) if k in asked):
            # what one leaves is for those that run later
            share = max(share, (end - bench.work) / sum(parts.values()))
            self._until = bench.work + share * parts.pop(key)
            for edit in self._tried(key, state, costs):
                hits.append(Mended(key, bench.positions[key][edit.since], edit))
        for number in range(1, len(bench.task)):
            left, hits = hits, []
            for key, state in bench.sweep(number) if left else ():
                own = (hit for hit in left if hit.key == key)
                hits += [hit for hit in own if self._mends(hit.edit, key, state, number)]
        return hits

    def _is_asked(
        self, key: Key, serving: Collection[int], asks: Callable[[set[int]], bool]
    ) -> bool:
        """Whether an expression of the student's is changed: it leads to all that is wrong, and
        serves nothing that is right."""
        bench, positions = self._bench, {*self._bench.positions[key]}
        is_view = not positions.isdisjoint(bench.flow.views)  # no producer of its own
        reaches = is_view or all(up & positions for up in self._reaching)
        is_free = positions.isdisjoint(serving) or bool(bench.op(key).writes)
        return key[0] is not None and reaches and is_free and asks(positions)

    def _run(
        self, variant: Variant, key: Key, state: State, number: int = 0
    ) -> Mapping[str, torch.Tensor]:
        return self._bench.branch(number, key, state, variant)

    def _mends(self, edit: TensorEdit, key: Key, state: State, number: int = 0) -> bool:
        def accepts(name: str, numbers: torch.Tensor) -> bool:
            return self._wanted.near(number, name, numbers)

        outputs = self._bench.branch(number, key, state, edit.variant, accepts)
        return self._wanted.holds(number, outputs)

    def _tried(self, key: Key, state: State, costs: Costs) -> Iterator[TensorEdit]:
        """The changes of an expression that make the first point right."""
        if key in self._bench.read:
            for edit in self._of_read(key, state):
                if self._is_tried(edit, costs) and self._mends(edit, key, state):
                    yield edit
            return
        op, call = self._bench.op(key), self._bench.call_of(key, state)
        if call is None or "out" in op.kwargs:
            return
        result = call.args[0] if op.writes else call.run()
        slopes = self._slopes_of(key, state)
        is_call = key in self._bench.aliases
        tried = self._of_call(key, state, op) if is_call else edits(op, call, result)
        if not is_call and self._is_kept(key):
            tried = itertools.chain(tried, _carried(key, call, result))
        if not is_call and isinstance(result, torch.Tensor) and result.is_floating_point():
            name = op_name(op).removesuffix("_")
            if key not in self._factors_of:
                self._factors_of[key] = [*self._factors(key, state, name, call, result)]
            tried = itertools.chain(
                tried,
                self._factors_of[key],
                self._task_edits.factors(result),
                self._with_unread(call, result),
                self._task_edits.results(key, result, slopes, costs.within),
            )
        mends = {numbers_of(result): False}
        """Whether the first point is right with these numbers."""
        for edit in tried:
            if not self._is_tried(edit, costs):
                continue
            is_one = not op.writes and len(self._bench.positions[key]) == 1
            other = _result(edit.variant, call) if is_one else None
            numbers = numbers_of(other) if is_one else object()
            if numbers not in mends:
                may_mend = not is_one or slopes is None or slopes.may_mend([other])
                mends[numbers] = may_mend and self._mends(edit, key, state)
            if mends[numbers]:
                yield self._aged(edit, key, call) if is_one else edit

    def _is_tried(self, edit: TensorEdit, costs: Costs) -> bool:
        return costs.take(edit.cost) and self._bench.work < self._until

    def _aged(self, edit: TensorEdit, key: Key, call: OpCall) -> TensorEdit:
        """A change, less likely where it reads what the pass has released before, likelier where
        it reads what nothing reads."""
        pool = Readings(call.pool)
        _result(edit.variant, call._replace(pool=pool))
        is_released = any(self._bench.is_released(each, key) for each in pool.read)
        is_unread = not pool.read.isdisjoint(self._bench.unread)
        return edit._replace(cost=edit.cost + RELEASED * is_released - UNREAD * is_unread)

    def _slopes_of(self, key: Key, state: State) -> Slopes | None:
        if key not in self._slopes:
            self._slopes[key] = slopes_of(self._bench, self._wanted, key, state)
        return self._slopes[key]

    def _factors(
        self, key: Key, state: State, name: str, call: OpCall, result: torch.Tensor
    ) -> Iterator[TensorEdit]:
        """The result, or one of two terms or factors, times a number."""
        has_number = name in ("mul", "div") and not isinstance(call.args[1], torch.Tensor)
        reduces = name in ("mean", "sum", "var")
        none = self._run(after(times(0.0)), key, state)
        yield from self._decays(key, state, result)
        factors = self._wanted.factors(self._own, none, [*self._usual, *self._ratios(result)])
        for factor in dict.fromkeys(factors):
            kind = kind_of(factor)
            number = call.args[1] if has_number else math.nan
            right = number * factor if name == "mul" else number / (factor or math.nan)
            if name == "mul" and math.isclose(right, 1):
                yield TensorEdit("twice", 1.4 if self._is_term(key) else 1.8, after(times(factor)))
            else:
                cost = 1.6 if has_number or (reduces and kind in ("mean", "sign")) else 2.0
                if right > 0 if kind == "sign" else self._is_plain(right):
                    cost = 1.2
                yield TensorEdit(kind, cost, after(times(factor)))
        for at in _numbers_put(self._bench.op(key), call):
            without = self._run(changed(at, None, instead(0.0)), key, state)
            for factor in self._wanted.factors(self._own, without):
                other = instead(call.args[at] * factor)
                yield TensorEdit("number", 1.6, changed(at, None, other))
        operands = [at for at, arg in enumerate(call.args[:2]) if isinstance(arg, torch.Tensor)]
        for at in operands if name in ("add", "sub") else ():
            without = self._run(weighed(at, 0.0), key, state)
            for factor in self._wanted.factors(self._own, without):
                yield TensorEdit(kind_of(factor), 2.0, weighed(at, factor))
        for factor in self._usual if name in SCALED else ():
            yield TensorEdit(kind_of(factor), 2.4, weighed(0, factor))
            yield TensorEdit(kind_of(factor), 2.6, weighed(0, -factor))
        if name in ("mul", "div") and len(operands) == 2:
            for factor in self._wanted.factors(self._run(alone(0), key, state), none):
                yield TensorEdit("operand", 1.9, first_times(factor))

    def _decays(self, key: Key, state: State, result: torch.Tensor) -> Iterator[TensorEdit]:
        """The result and a weight, or of a loss the weight's squares, times a number."""
        for weight in self._bench.weights:
            if not result.dim() or state.pool[weight].shape == result.shape:
                with_weight = self._run(after(with_decay(weight, 1.0)), key, state)
                for factor in self._wanted.factors(with_weight, self._own):
                    yield TensorEdit("term", 2.0, after(with_decay(weight, factor)))

    def _of_call(self, key: Key, state: State, op: Op) -> Iterator[TensorEdit]:
        """What one of several calls of a function gives, with what is left out there."""
        result = self._bench.results[0][self._bench.positions[key][0]]
        if op.writes or not result.is_floating_point():
            return
        none = self._run(after(times(0.0)), key, state)
        for factor in self._wanted.factors(self._own, none):
            yield TensorEdit(kind_of(factor), HANDED_ON, after(times(factor)))
        yield from self._decays(key, state, result)
        for edit in lacking(state.pool, result, after):
            yield edit._replace(cost=edit.cost + HANDED_ON - AS_NAMED)

    def _ratios(self, result: torch.Tensor) -> Iterator[float]:
        """By what it is to be multiplied to be one of the task's tensors, if by a number."""
        for tensor in self._bench.task[0].all:
            if tensor.shape == result.shape and tensor.numel() > 1:
                ratio = (tensor / result)[result != 0]
                is_one = len(ratio) > 1 and torch.allclose(ratio, ratio[0], 1e-6, 0.0)
                if is_one and 0 < ratio[0].abs() < math.inf:
                    yield plain(float(ratio[0]))

    def _is_plain(self, number: float) -> bool:
        return any(math.isclose(number, each, rel_tol=1e-6) for each in self._plain_numbers)

    def _with_unread(self, call: OpCall, result: torch.Tensor) -> Iterator[TensorEdit]:
        """A term or factor of what nothing reads, times something else."""
        for key in self._bench.unread & call.pool.keys():
            for other, tensor in call.pool.items():
                if not tensor.is_floating_point():
                    continue
                if _spread(call.pool[key].shape, tensor.shape) == result.shape:
                    for sign in (1.0, -1.0):
                        yield TensorEdit("term", 2.6, after(with_product(key, other, sign)))

    def _is_kept(self, key: Key) -> bool:
        """Whether what an expression of a loop gives has its name until the next round."""
        ops, rounds = self._bench.flow.recording.ops, self._bench.positions[key]
        if len(rounds) == 1:
            return False
        first, after_it = (ops[at].statement for at in rounds[:2])
        names = [op.name for op in ops[rounds[0] :] if op.statement == first and op.name]
        between = ops[rounds[0] : rounds[1]]
        return not any(op.name in names for op in between if op.statement not in (first, after_it))

    def _is_term(self, key: Key) -> bool:
        """Whether an expression is a term of a sum of its statement."""
        flow = self._bench.flow
        ops, position = flow.recording.ops, self._bench.positions[key][0]
        return any(
            position in before
            and op_name(ops[at]) in ("add", "sub")
            and ops[at].statement == ops[position].statement
            for at, before in enumerate(flow.producers)
        )

    def _of_read(self, key: Key, state: State) -> Iterator[TensorEdit]:
        """What is read times a number, unless it is a leaf; with what it lacks; or any tensor of
        the task's."""
        numbers = self._bench.read[key]
        own = state.values.get(key[2])
        if own is None or not own.is_floating_point():
            return
        none = self._run(read_as(numbers, times(0.0)), key, state)
        is_leaf = self._bench.flow.recording.values[key[2]].origin != "op"
        alias = self._bench.aliases[key]
        cost = AS_NAMED if alias.name else HANDED_ON
        for factor in () if is_leaf else self._wanted.factors(self._own, none, self._usual):
            yield TensorEdit(kind_of(factor), cost, read_as(numbers, times(factor)))
        for each, tensor in state.pool.items():
            is_meant = self._bench.name_of(each) in self._bench.read_names[key]
            fits = broadcasts(own.shape, tensor.shape) if alias.name else tensor.shape == own.shape
            if (is_meant or fits) and not same(tensor, own):
                operand = 1.5 if is_meant else 1.7
                yield TensorEdit("operand", operand, read_as(numbers, from_pool(each)))
        if alias.name:
            yield from lacking(state.pool, own, functools.partial(read_as, numbers))
        for at in () if is_leaf and not alias.name else self._task_edits.without_terms(own):
            yield TensorEdit("lost term", LOST_TERM, read_as(numbers, of_task(at)))
        for at, tensor in enumerate(self._bench.task[0].all if alias.name else ()):
            if broadcasts(own.shape, tensor.shape):
                yield TensorEdit("value", INSTEAD, read_as(numbers, of_task(at)))


def _carried(key: Key, call: OpCall, result: Any) -> Iterator[TensorEdit]:
    """In each round what the round before gave, too, itself or times something, as the sums of a
    softmax whose maximum grows; in the first what could have been read, as where a residual
    connection is left out."""
    yield TensorEdit("overwritten", 1.5, added_up(key), 1)
    for at, operand in enumerate(call.args[:2]):
        if isinstance(operand, torch.Tensor) and operand.is_floating_point():
            yield TensorEdit("factor value", 2.7, changed(at, None, times_before(key)), 1)
    is_tensor = isinstance(result, torch.Tensor) and not call.op.writes
    for first, tensor in call.pool.items() if is_tensor else ():
        if tensor.shape == result.shape:
            yield TensorEdit("term", 2.5, added_up(key, first))
        is_column = tensor.shape == result.shape[:-1]
        if tensor.is_floating_point() and (is_column or broadcasts(tensor.shape, result.shape)):
            yield TensorEdit("term", 2.7, added_up_by(key, first, is_column), 1)


def _spread(*shapes: torch.Size) -> torch.Size | None:
    try:
        return torch.Size(torch.broadcast_shapes(*shapes))  # type: ignore[no-untyped-call]
    except RuntimeError:
        return None


def _numbers_put(op: Op, call: OpCall) -> list[int]:
    """The positions of numbers that go into a tensor, or are added to one."""
    names = enumerate(arguments(op)[: len(call.args)])
    is_added = op_name(op) not in ("mul", "div")
    return [
        at
        for at, name in names
        if is_added
        and name in ("other", "value", "fill_value")
        and type(call.args[at]) in (int, float)
    ]


def _result(variant: Variant, call: OpCall) -> object:
    try:
        return variant(call)
    except REFUSALS:
        return None
