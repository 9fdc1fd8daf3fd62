"""What the task has, in the place of what an expression gives: a value, an adjoint or a part of
one, times a number, the sum of which terms are there; in a loop round by round."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence

import torch

from ..model import Op
from ..trace.calls import NotReplayable
from ..trace.graph import op_name
from .graph_tensors import parts_of_sum, same
from .tensor_bench import TensorBench
from .tensor_changes import (
    Key,
    OpCall,
    after,
    changed,
    is_as_long,
    of_round,
    of_task,
    times_of_task,
)
from .tensor_edits import TensorEdit, broadcasts
from .tensor_slopes import Slopes

FEW_ROUNDS = 8
"""Of a loop over layers."""
LOST_TERM = 1.9
"""The cost of a sum of the task's some of whose terms are there."""
INSTEAD = 3.2
"""The cost of a tensor of the task in the place of a result."""
NAMED = 2.7
"""Of that adjoint which the student's name says that it is."""
SCALED = 0.1
"""What it costs less times a number: what follows only multiplies it, and that number is right."""


class TaskEdits:
    """The changes of an expression to what the task has, at the first point of a bench."""

    def __init__(
        self,
        bench: TensorBench,
        reads_right: Callable[[int], bool],
        is_plain: Callable[[float], bool],
    ) -> None:
        self._bench, self._reads_right, self._is_plain = bench, reads_right, is_plain
        task = bench.task[0]
        parts = (parts_of_sum(task.terms.get(id(tensor), ())) for tensor in task.all)
        self._lost: dict[Key, TensorEdit | None] = {}
        self._sums = [(at, each) for at, each in enumerate(parts) if each]
        """By the position of a tensor of the task what it is without some of its terms."""

    def factors(self, result: torch.Tensor) -> Iterator[TensorEdit]:
        """The result times a local derivative of the task's, or of the pass's own graph."""
        for at, tensor in enumerate(self._bench.task[0].local):
            if broadcasts(tensor.shape, result.shape):
                yield TensorEdit("factor value", 2.7, after(times_of_task(at)))

    def without_terms(self, tensor: torch.Tensor) -> Iterator[int]:
        """The sums of the task's, by their positions, that are this without some terms."""
        return (at for at, parts in self._sums if any(same(part, tensor) for part in parts))

    def results(
        self, key: Key, result: torch.Tensor, slopes: Slopes | None, within: float
    ) -> Iterator[TensorEdit]:
        """The sums of the task's some terms of which are there; or any tensor of the task's, that
        first which the student's name says that it is. None that costs more than `within`."""
        bench, task, op = self._bench, self._bench.task[0], self._bench.op(key)
        if op.writes:
            return
        named = {id(task.of.get(number)) for number in bench.names.of(op.name)}
        if len(positions := bench.positions[key]) > 1:
            if within >= LOST_TERM and len(positions) <= FEW_ROUNDS:
                yield from self._lost_in_rounds(key)
            if within > NAMED:
                yield from self._of_rounds(key, named, slopes)
            return
        if not result.any():
            return  # nothing takes the place of zeros
        if within >= LOST_TERM:
            for at in self.without_terms(result):
                yield TensorEdit("lost term", LOST_TERM, after(of_task(at)))
        is_copy = op_name(op) == "clone"
        if within < NAMED or is_copy or not self._reads_right(positions[0]):
            return
        for at, tensor in enumerate(task.all):
            cost = NAMED if id(tensor) in named else INSTEAD
            shapes = result.shape, tensor.shape
            if is_as_long(*shapes) or broadcasts(*shapes):
                yield TensorEdit("value", cost, after(of_task(at)))
            for factor in self._factor(tensor, result, slopes):
                yield TensorEdit("value", cost - SCALED, after(of_task(at, factor)))

    def _factor(
        self, tensor: torch.Tensor, result: torch.Tensor, slopes: Slopes | None
    ) -> Iterator[float]:
        """The number by which a tensor of the task may be multiplied in the place of a result."""
        if slopes is not None and tensor.numel() > 1 and is_as_long(result.shape, tensor.shape):
            factor = slopes.factor(tensor.reshape(result.shape))
            if factor not in (0, 1) and self._is_plain(factor):
                yield factor

    def _lost_in_rounds(self, key: Key) -> Iterator[TensorEdit]:
        """In each round the sum of the task's some of whose terms are there, when it is so in the
        rounds before: a bias that a loop over layers leaves out."""
        bench = self._bench
        if key not in self._lost:
            ats: list[int | None] = []

            def completed(op: OpCall) -> torch.Tensor:
                own: torch.Tensor = op.run()
                ats.append(next(self.without_terms(own), None))
                return own if ats[-1] is None else op.task[ats[-1]].to(own.dtype)

            with contextlib.suppress(NotReplayable):
                bench.mended(key, completed)
            since = next((i for i, at in enumerate(ats) if at is not None), None)
            self._lost[key] = None
            if since is not None:
                change = after(of_round(bench.add_rounds(ats)))
                self._lost[key] = TensorEdit("lost term", LOST_TERM, change, since)
        if (edit := self._lost[key]) is not None:
            yield edit

    def _of_rounds(self, key: Key, named: set[int], slopes: Slopes | None) -> Iterator[TensorEdit]:
        """What the task has in the rounds of a loop, in the place of results of one, or of the
        terms that one adds up, where what is read is right in the first that differs."""
        bench, positions = self._bench, self._bench.positions[key]
        results = [bench.results[0][at] for at in positions]
        terms = self._terms_added_up([bench.flow.recording.ops[at] for at in positions])
        for own in (results, terms) if terms else (results,):
            tried = {_rounded(own)}
            for at, rounds in enumerate(bench.in_rounds(0, len(own))):
                pairs = [*zip(rounds, own, strict=True)]
                if not all(
                    tensor is None
                    or tensor.shape == each.shape
                    or (own is results and broadcasts(each.shape, tensor.shape))
                    for tensor, each in pairs
                ):
                    continue
                laid = [each if tensor is None else tensor for tensor, each in pairs]
                numbers = _rounded(laid)
                since = next((i for i, each in enumerate(own) if not same(laid[i], each)), -1)
                if numbers in tried or since < 0 or not self._reads_right(positions[since]):
                    continue
                tried.add(numbers)
                summed = laid if own is results else _moved(results, own, laid)
                if slopes is None or slopes.may_mend(summed):
                    cost = NAMED if named & {*map(id, rounds)} else INSTEAD
                    change = of_round(at)
                    variant = after(change) if own is results else changed(1, None, change)
                    yield TensorEdit("value", cost, variant, since)

    def _terms_added_up(self, ops: Sequence[Op]) -> list[torch.Tensor]:
        """What the rounds of a loop add to what the round before gave; none where they do not."""
        if any(op_name(op) != "add" or len(op.reads) != 2 for op in ops):
            return []
        if any(op.reads[0] != before.outputs[0] for before, op in itertools.pairwise(ops)):
            return []
        read = [self._bench.value(0, op.reads[1]) for op in ops]
        terms = [term for term in read if term is not None]
        return terms if len(terms) == len(read) else []


def _moved(
    sums: Sequence[torch.Tensor], terms: Sequence[torch.Tensor], others: Sequence[torch.Tensor]
) -> list[torch.Tensor]:
    """The sums so far when other terms are added up."""
    moves = itertools.accumulate(new - own for new, own in zip(others, terms, strict=True))
    return [so_far + move for so_far, move in zip(sums, moves, strict=True)]


def numbers_of(tensor: object) -> object:
    """The numbers of a tensor or of a tuple of them, to be held against others."""
    if isinstance(tensor, tuple):
        return tuple(map(numbers_of, tensor))
    if not isinstance(tensor, torch.Tensor):
        return None
    return tensor.shape, tensor.contiguous().numpy().tobytes()


def _rounded(tensors: Sequence[torch.Tensor]) -> object:
    return numbers_of(tuple(tensor.float() for tensor in tensors))
