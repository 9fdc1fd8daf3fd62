"""What the ops of a pass give of what the task has, and how likely a change is by its place."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Sequence
from typing import Literal

import torch

from ..model import VALUE
from ..trace.graph import computes, op_name
from .graph_tensors import Proportions, RightNumbers, blocks, parts_of_sum, same
from .tensor_bench import TensorBench
from .tensor_changes import Key, OpCall, after
from .tensor_edits import COUNTING, FUNCTIONS, JOINING, TensorEdit
from .tensor_hits import Mended
from .tensor_slopes import WantedOutputs, ramp

APPENDED = (
    "factor",
    "factor value",
    "function",
    "mask left out",
    "mean",
    "not summed",
    "sign",
    "term",
)
"""Kinds of changes of a result that is right as far as it goes."""
NOT_WRONG, COMPLETE, VALUE_ALONE, LATER = 1.0, 0.7, 0.3, 0.5
"""How much less likely a change is in a statement whose result is right, to another value, or of
what is only complemented, an adjoint or but a value; and behind what may be wrong itself."""
MISNAMED = 1.5
"""How much less likely it is for each name of a gradient that is not what it says."""
PENALTY = 4.5
"""A change that is less likely than this by its place is not told."""
TINY = 1e-12
"""What is no larger is zero but for roundings."""
OF_SUMS = (*FUNCTIONS, "clamp", "clamp_min", "threshold")
"""Functions, often of a sum."""
JOINS = ("cat", "stack", "where")
"""What moves tensors that may not belong together."""
Standing = Literal["unknown", "leads", "part", "whole"]
"""What an op gives: nothing that the task has; nothing, but what it leads to is right; a value or a
part of an adjoint; an adjoint, or what serves a right output."""
STANDINGS: tuple[Standing, ...] = ("unknown", "leads", "part", "whole")


class Standings:
    """What the ops of a pass give of what the task has."""

    def __init__(
        self, bench: TensorBench, wanted: WantedOutputs, unclear: Collection[int] = ()
    ) -> None:
        """`unclear`: statements that read something which no op made."""
        self._bench, flow = bench, bench.flow
        self._value_is_wrong, self._unclear = VALUE in wanted.wrong, unclear
        task = bench.task[0]
        self._values, self._adjoints = RightNumbers(task.values), RightNumbers(task.adjoints)
        self._terms = RightNumbers([term for each in task.terms.values() for term in each])
        sums = (parts_of_sum(terms) for terms in task.terms.values())
        self._sums_so_far = RightNumbers(itertools.chain.from_iterable(sums))
        parts = [block for each in task.all for block in blocks(each)]
        self._parts = RightNumbers([*task.all, *parts])
        self._shapes = Proportions(task.all)
        self.reaching = [flow.serving(name) for name in wanted.wrong]
        """By output that is wrong the ops from which data reaches it."""
        self.serving = self._serving(wanted)
        """The ops on which something right depends."""
        self._forward = flow.serving(VALUE)
        self._standings = self._by_position()
        last: dict[int, int] = {}
        ops = bench.flow.recording.ops
        for position in sorted(self._standings):
            last[ops[position].statement] = position
        self._last_of_statement = {at: last[ops[at].statement] for at in self._standings}
        self.keys = {at: key for key, ats in bench.positions.items() for at in ats}
        """By position the expression that an op is of."""
        among = set.intersection(*map(set, self.reaching))
        self._among = among & {*self._standings} - self.serving
        self.suspects = self._suspects()
        """The ops on the way to all that is wrong on which nothing depends that the task has."""

    def _serving(self, wanted: WantedOutputs) -> set[int]:
        bench, flow = self._bench, self._bench.flow
        serving = flow.serving(*wanted.right)
        reaching = set().union(*self.reaching)
        own = bench.outputs(0)
        for key, state in bench.sweep(0):
            positions = {*bench.positions[key]}
            is_zero = not any(bench.results[0][at].any() for at in positions)
            if not is_zero and not positions.isdisjoint(serving & reaching):
                other = bench.branch(0, key, state, after(_varied))
                # its numbers do not matter there: they are multiplied by a zero
                if other and all(same(other[name], own[name]) for name in wanted.right):
                    serving -= positions
        return serving

    def _suspects(self) -> set[int]:
        bench, flow, own = self._bench, self._bench.flow, self._bench.results[0]
        whole = {p for p, tensor in own.items() if self._is_telling(p, tensor)}
        whole = {p for p in whole if self._standings[p] == "whole" and not self._is_constant(p)}
        self._leading = flow.upstream({p for at in whole for p in flow.producers[at]})
        suspects = self._among - self._leading - whole
        keys = {ats[0]: key for key, ats in bench.positions.items() if len(ats) == 1}
        # what is made of it may be right whatever it is: a sum of differences from the mean
        for position in self._among - suspects - whole:
            if position in keys and self._is_telling(position, own[position]):
                other = bench.mended(keys[position], after(_varied))
                after_it = [p for p in whole if position in flow.upstream({p})]
                if all(same(other.get(p), own[p]) for p in after_it):
                    suspects.add(position)
        return suspects

    def ranked(self, hits: Sequence[Mended]) -> list[Mended]:
        """The changes that are likely by their place."""
        ranked = (hit._replace(rank=self.rank(hit)) for hit in hits)
        return [hit for hit in ranked if hit.rank < PENALTY]

    def rank(self, hit: Mended) -> float:
        """How unlikely a change is by its place: what goes wrong is made of what is right, and is
        not right itself, but where something is missing after it."""
        bench, standings, kind = self._bench, self._standings, hit.edit.kind
        before, results = bench.flow.producers[hit.position], bench.results[0]
        read = self._read_by_statement(hit.position)
        sources = (standings.get(p, "whole") for p in read)
        source: Standing = min(sources, key=STANDINGS.index, default="whole")
        name, is_right = op_name(bench.op(hit.key)), self.is_right(hit.position)
        moves = not computes(name)
        # something may be missing after it; what it is made of may be wrong already
        is_whole = is_right and standings[hit.position] == "whole"
        is_done = (is_whole and not self._value_is_wrong) or source != "whole"
        if kind == "value" and (is_done or self._is_unsure(hit.position)):
            return math.inf
        if kind == "lost term" and self._is_lost_before(hit.position, source):
            return math.inf
        own, is_passed_on = results[hit.position], moves and bench.op(hit.key).name is None
        if not is_passed_on and any(p in results and torch.equal(results[p], own) for p in before):
            return hit.edit.cost  # it does nothing
        is_later = any(
            not self._is_part(results[p]) and not self._sums_so_far.has(results[p])
            for p in read & self.suspects
        )
        put = kind in APPENDED and (is_passed_on or name == "index_put_")
        rank = hit.edit.cost + LATER * (is_later + put)
        if kind == "lost term" and source != "whole":
            rank += NOT_WRONG
        is_bare = kind == "term" and self._value_is_wrong  # `x @ w` is a value of the task's
        if is_bare or kind in ("in place", "lost term") or not is_right:
            return rank
        if kind not in APPENDED:
            return rank + NOT_WRONG
        is_value = self._standings[self._last_of_statement[hit.position]] != "whole"
        return rank + (VALUE_ALONE if is_value else COMPLETE)

    def _is_lost_before(self, position: int, source: Standing) -> bool:
        """Whether the term that a sum of the task's has besides may be lost in what an op reads: it
        is there and zero, or something else may be wrong; or right things are made of what the op
        gives."""
        flow, ops = self._bench.flow, self._bench.flow.recording.ops
        name = op_name(ops[position])
        is_read = name in OF_SUMS or (not computes(name) and source != "whole")
        suspects = flow.upstream({position}) & self.suspects
        unknown = (p for p in suspects if self._standings[p] in ("unknown", "leads"))
        is_before = any(ops[p].statement != ops[position].statement for p in unknown)
        is_led = position in self._leading
        return is_read or is_before or is_led or self._has_zeros(position)

    def _has_zeros(self, position: int) -> bool:
        """Whether a statement calculates zeros, of which all that they are made of may be wrong."""
        flow, results = self._bench.flow, self._bench.results[0]
        ops, own = flow.recording.ops, flow.recording.ops[position].statement
        inner = (p for p in results if ops[p].statement == own and flow.data_reads(p))
        return any(not results[p].double().abs().gt(TINY).any() for p in inner)

    def reads_right(self, position: int) -> bool:
        """Whether an op's expression is made of what the task has."""
        results = self._bench.results[0]
        read = self._read_by_statement(position)
        is_misled = self._bench.flow.recording.ops[position].statement in self._misled
        read &= results.keys() - self.serving
        return not is_misled and all(self._is_part(results[p]) for p in read)

    @functools.cached_property
    def _misled(self) -> set[int]:
        """The statements that read a gradient which is none of what its name says, or something
        unclear."""
        bench, ops = self._bench, self._bench.flow.recording.ops
        named: dict[str, set[int]] = {}
        for position in self._standings:
            name, outputs = ops[position].name, ops[position].outputs
            if name is not None and not ops[position].writes:
                named.setdefault(name, set()).update(outputs[:1])
        adjoints = bench.task[0].of
        wrong = {
            number
            for name, numbers in named.items()
            if len(numbers) == 1 and any(of in adjoints for of in bench.names.of(name))
            for number in numbers
            if not bench.names.holds(name, bench.last(number), adjoints)
        }
        adding = {op.statement for op in ops if op.writes}
        misled = {op.statement for op in ops if wrong & {*op.reads}} - adding
        return misled.union(self._unclear)

    def _is_unsure(self, position: int) -> bool:
        """Whether what an op is made of may be wrong, though nothing tells."""
        return self._has_zeros(position) or self._is_counted(position)

    def _is_counted(self, position: int) -> bool:
        """Whether an op depends on integers that another line calculates, as the places of windows,
        and that may be wrong."""
        ops, results = self._bench.flow.recording.ops, self._bench.results[0]
        return any(
            results[p].dtype == torch.int64
            and op_name(ops[p]) in (*COUNTING, *JOINING, "rsub")
            and ops[p].statement != ops[position].statement
            for p in self._bench.flow.upstream({position}) - self.serving
            if p in results
        )

    def _read_by_statement(self, position: int) -> set[int]:
        """The ops of other statements whose results an op's expression is made of."""
        recording, producers = self._bench.flow.recording, self._bench.flow.producers
        statement, read, inner = recording.ops[position].statement, set[int](), [position]
        while inner:
            for each in producers[inner.pop()]:
                own = recording.ops[each].statement == statement
                (inner.append if own else read.add)(each)
        return read

    def only_line(self) -> Mended | None:
        """The one line that makes something the task does not have of what is right; else the last
        on the way to all that is wrong. None where there are several."""
        bench, flow = self._bench, self._bench.flow
        ops = flow.recording.ops
        some = {p for p in self.suspects if self._standings[p] != "whole"}
        wrong = {p for p in some if self._is_wrong(p)} or some
        # what is laid beside others is the whole of something
        joins = {p for p in self._among if op_name(ops[p]) in JOINS}
        laid = {p for at in joins for p in flow.producers[at] & some}
        wrong |= laid | (joins & some if bench.unread else set())
        inner = {
            p for at in wrong for p in flow.producers[at] if ops[p].statement == ops[at].statement
        }
        first = {p for p in wrong - inner if not self._read_by_statement(p) & wrong}
        made = {p for of in flow.sources.values() for p in of}
        last = self._among - made - {p for at in self._among for p in flow.producers[at]}
        chosen = first or last
        if not self._value_is_wrong and chosen & self._forward:
            return None
        joined = {ops[p].statement for p in joins}
        if not bench.unread and any(ops[p].statement in joined for p in chosen - laid):
            return None  # which of its parts is not what it should be
        if any(ops[p].statement in self._misled for p in chosen):
            return None
        if any(map(self._is_unsure, chosen)):
            return None
        named = (key for key, alias in bench.aliases.items() if alias.name)
        if any(some.intersection(bench.positions[key]) for key in named):
            return None  # a line that runs no op may be meant
        if any(flow.is_written_later(p) for p in chosen if not ops[p].writes):
            return None  # it is not done yet
        keys = {self.keys[p] for p in some}
        if (line := alone(bench, keys)) is None:
            if self._value_is_wrong:
                return None  # an op may be missing between two of the task's
            if not all(self._is_certain(p, some - wrong) for p in first - laid):
                return None
            keys = {self.keys[p] for p in chosen}
            line = alone(bench, keys)
        rounds = [p for key in keys for p in bench.positions[key]]
        is_right = any(self._standings[p] == "whole" for p in rounds)  # for another layer
        read = {at for p in rounds for at in self._read_by_statement(p)}
        is_masked = any(bench.results[0][at].dtype == torch.bool for at in read)
        # what is the same at all points is a part of the task's by chance
        floats = [at for at in read if bench.results[0][at].is_floating_point()]
        is_masked |= any(not self.is_right(at) and self._is_constant(at) for at in floats)
        return None if is_right or is_masked or all(map(self._is_constant, rounds)) else line

    def _is_certain(self, position: int, parts: set[int]) -> bool:
        """Whether what an op is made of is right in its place, and it is no derivative of a part
        of the pass by itself, which may be written in other ways."""
        read, results = self._read_by_statement(position), self._bench.results[0]
        if any(not self._is_constant(p) and not self._terms.has(results[p]) for p in read & parts):
            return False
        return not read <= self._forward or not any(
            self._adjoints.has(results[p])
            for p in self._standings.keys() - self._forward
            if self._is_telling(p, results[p]) and not self._is_constant(p)
        )

    def is_right(self, position: int) -> bool:
        """Whether an op gives a value or an adjoint of the task, or what serves something right."""
        if not self._bench.results[0][position].is_floating_point():
            return False  # two masks are easily alike
        position = self._last_of_statement[position]
        is_whole = self._standings[position] == "whole" or self._is_value(position)
        is_right = is_whole or position in self._leading - self.suspects
        return is_right and not self._is_misnamed(position)

    def _is_misnamed(self, position: int) -> bool:
        """Whether an op's result is none of the gradients that its name says that it is."""
        bench, adjoints = self._bench, self._bench.task[0].of
        name = bench.flow.recording.ops[position].name
        is_named = any(number in adjoints for number in bench.names.of(name))
        return is_named and not bench.names.holds(name, bench.results[0][position], adjoints)

    def _is_value(self, position: int) -> bool:
        own = self._bench.results[0][position]
        return self._is_telling(position, own) and self._values.has(own)

    def strange_after(self, hit: Mended) -> float:
        """How much of a pass with a change is nothing that the task has: 2 for each op, 1 where it
        gives a multiple of what the task has, half where a part. Where the mistake is mended, what
        follows is right."""
        after = self._bench.mended(hit.key, hit.edit.variant)
        telling = [own for p, own in after.items() if self._is_telling(p, own)]
        adjoints, named = RightNumbers([]), self._bench.task[0].of
        if self._value_is_wrong:
            graph = self._bench.own_graph(0, hit.key, hit.edit.variant)
            adjoints = RightNumbers([] if graph is None else graph.adjoints)
            named = {} if graph is None else graph.of
        strange = MISNAMED * self._bench.names.broken(after, named)
        for own in telling:
            if not self._is_whole(own) and not adjoints.has(own):
                is_part = self._parts.has_but_for_signs(own) or self._sums_so_far.has(own)
                strange += 0.5 if is_part else 1.0 if self._shapes.has(own) else 2.0
        return strange

    def _is_constant(self, position: int) -> bool:
        own = self._bench.results[0][position]
        return all(same(at.get(position), own) for at in self._bench.results)

    def _is_wrong(self, position: int) -> bool:
        own = self._bench.results[0][position]
        # a multiple of what may be a part, too
        is_part = self._parts.has(own) or (
            self._shapes.has(own) and self._read_by_statement(position) & self.suspects
        )
        return not is_part and not self._is_constant(position)

    def _is_part(self, own: torch.Tensor) -> bool:
        return self._parts.has_but_for_signs(own) or self._shapes.has(own)

    def _is_whole(self, own: torch.Tensor) -> bool:
        return self._values.has(own) or self._adjoints.has(own)

    def _is_telling(self, position: int, own: torch.Tensor) -> bool:
        name = op_name(self._bench.flow.recording.ops[position])
        is_own = position not in self._bench.flow.views and (computes(name) or name in JOINS)
        return is_own and own.is_floating_point()

    def _by_position(self) -> dict[int, Standing]:
        bench, flow = self._bench, self._bench.flow
        standings: dict[int, Standing] = {}
        forward = self._forward if self._value_is_wrong else ()
        for position, own in sorted(bench.results[0].items()):
            if position in self.serving:
                standings[position] = "whole"
            elif not self._is_telling(position, own):
                before = (standings.get(p, "whole") for p in flow.producers[position])
                standings[position] = min(before, key=STANDINGS.index, default="whole")
            elif self._adjoints.has(own) or (position in forward and self._values.has(own)):
                standings[position] = "whole"
            else:
                is_part = self._is_constant(position) or self._is_part(own)
                standings[position] = "part" if is_part else "unknown"
        right = {p for p, standing in standings.items() if standing in ("part", "whole")}
        leading = flow.upstream(right) - right
        return standings | {p: "leads" for p in leading if p in standings}


def _varied(_: OpCall, own: torch.Tensor) -> torch.Tensor:
    """Other numbers in the place of some. An op that gives several tensors stays as it is."""
    if not isinstance(own, torch.Tensor) or not own.is_floating_point():
        return own
    return own * (1.5 + 0.25 * ramp(own))


def alone(bench: TensorBench, keys: Collection[Key]) -> Mended | None:
    """What is told of expressions, where they are of one line."""
    lines = {None if key[0] is None else (key[0].unit, key[0].line) for key in keys}
    if len(lines) != 1 or None in lines:
        return None
    first = min(keys, key=lambda key: bench.positions[key][0])
    edit = TensorEdit("role", 3.0, lambda op: op.run())
    return Mended(first, bench.positions[first][0], edit)
