"""The tensors that a graph has at a point: values, adjoints, and what an adjoint contributes along
an edge. What a pass has of those of the task's graph is right, and where its value is right, what
it has of those of its own."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..exercises.adjoint.tensors import recorded, sample
from ..exercises.functions.typed_task import MatrixVariant
from ..model import VALUE, Op, Span
from ..trace.calls import refusals
from ..trace.graph import op_name
from ..trace.op_table import is_allowed
from ..trace.replay import WIDENED, Program
from ..trace.torch_private import DispatchMode, decompositions_of

FUSED = (
    "addmm binary_cross_entropy binary_cross_entropy_with_logits celu elu gelu glu hardsigmoid "
    "hardswish huber_loss linalg_vector_norm log_sigmoid_forward logaddexp logit logsumexp mish "
    "mse_loss multi_margin_loss native_batch_norm native_group_norm native_layer_norm norm selu "
    "silu smooth_l1_loss soft_margin_loss softplus std"
).split()
"""Kernels in whose place their torch decompositions are run, as are those that no replay runs."""


def _softmax(scores: torch.Tensor, dim: int, *_: Any) -> torch.Tensor:
    counts = (scores - scores.amax(dim, keepdim=True)).exp()
    return counts / counts.sum(dim, keepdim=True)


def _log_softmax(scores: torch.Tensor, dim: int, *_: Any) -> torch.Tensor:
    shifted = scores - scores.amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def _cast(tensor: torch.Tensor, dtype: torch.dtype, *_: Any) -> torch.Tensor:
    return tensor if tensor.dtype == dtype else torch.ops.aten._to_copy(tensor, dtype=dtype)


aten = torch.ops.aten
DECOMPOSITIONS: Mapping[Any, Callable[..., Any]] = {
    **decompositions_of([getattr(aten, name) for name in FUSED]),
    aten.to.dtype: _cast,
    aten._softmax.default: _softmax,
    aten._log_softmax.default: _log_softmax,
}
SAME = 1e-8
"""Part of its size by which another formula's number may be off."""
NOTHING = 1e-13
"""A number up to which it is zero but for roundings."""


Rounds = list[torch.Tensor | None]
"""The tensor of each round of a loop; None where there is none."""


class GraphTensors(NamedTuple):
    """What a graph has at a point: of each node the value and the adjoint, the local derivatives,
    and the parts of adjoints that are sent along one edge. `terms` says of which terms one of them
    is the sum, by its `id`: an adjoint of what several ops send, a value of what is added up. `of`
    has the adjoint of each value of the pass, by its number; none where the graph is the task's.
    `loops` has what the expressions of a loop have of all these, each round by round."""

    values: list[torch.Tensor]
    adjoints: list[torch.Tensor]
    local: list[torch.Tensor]
    parts: list[torch.Tensor]
    terms: dict[int, list[torch.Tensor]]
    of: dict[int, torch.Tensor]
    loops: list[Rounds]

    @property
    def all(self) -> list[torch.Tensor]:
        """All of them; local derivatives have their own positions here."""
        return [*self.local, *self.adjoints, *self.values, *self.parts]

    def joined(self, other: GraphTensors) -> GraphTensors:
        """With what another graph of the same value has: of that the adjoints are parts."""
        return GraphTensors(
            self.values + other.values,
            self.adjoints,
            self.local + other.local,
            self.parts + other.parts + other.adjoints,
            self.terms | other.terms,
            self.of,
            self.loops + other.loops,
        )

    def in_rounds(self, count: int) -> Iterator[Rounds]:
        """What a loop of so many rounds could have in them, forwards and backwards; where the
        graph's has one more or less, with either end left out."""
        for loop in self.loops:
            for rounds in (loop, loop[::-1]):
                if len(rounds) == count:
                    yield rounds
                elif len(rounds) == count - 1:
                    yield from ([*rounds, None], [None, *rounds])
                elif len(rounds) == count + 1:
                    yield from (rounds[1:], rounds[:-1])


class GraphRun:
    """The nodes and edges of a run under autograd, op by op."""

    def __init__(self, values: dict[int, torch.Tensor]) -> None:
        for tensor in values.values():
            if tensor.is_floating_point():
                tensor.requires_grad_()
        self._nodes = [(number, t) for number, t in values.items() if t.requires_grad]
        self._added: dict[int, list[torch.Tensor]] = {}
        self._edges: dict[
            int, tuple[list[int], torch.Tensor, list[torch.Tensor], torch.Tensor]
        ] = {}
        """By the number of what an op gives."""
        self._expressions: dict[tuple[Span | None, str, int], list[Op]] = {}
        """By site, target, and which of those of the same site."""
        self._at_site: tuple[Span | None, Counter[str]] = (None, Counter())

    def add(
        self,
        op: Op,
        values: Mapping[int, torch.Tensor],
        run: Callable[[dict[int, torch.Tensor]], Sequence[torch.Tensor]],
        results: Sequence[torch.Tensor],
    ) -> None:
        """An op with the values that it reads, what runs it, and what it gave."""
        pairs = [*zip(op.outputs, results, strict=False)]
        if op_name(op) in ("add", "sub") and len(op.reads) == 2:
            sign = 1 if op_name(op) == "add" else -1
            first, second = (values[number].detach() for number in op.reads)
            self._added[op.outputs[0]] = [first, sign * second]
        self._nodes += [(number, each) for number, each in pairs if each.requires_grad]
        if not op.writes and results and results[0].requires_grad:
            own = {n: _alone(values[n]) for n in op.reads if n in values}
            loose = {n: tensor for n, tensor in own.items() if tensor.requires_grad}
            again = run(own)[0]
            if loose and again.requires_grad:
                self._edges[op.outputs[0]] = [*loose], again, [*loose.values()], results[0]
        if op.site != self._at_site[0]:
            self._at_site = op.site, Counter()
        place = (op.site, op.target, self._at_site[1][op.target])
        self._at_site[1][op.target] += 1
        self._expressions.setdefault(place, []).append(op)

    def tensors(self, value: torch.Tensor) -> GraphTensors:
        """Those of the run, whose value is the sum of a tensor. Raises RuntimeError where torch
        does not differentiate it."""
        nodes = [tensor for _, tensor in self._nodes]
        adjoints = torch.autograd.grad(value.sum(), nodes, allow_unused=True)
        by_node = dict(zip(map(id, nodes), adjoints, strict=True))
        parts: list[torch.Tensor] = []
        derivatives: list[torch.Tensor] = []
        sent_to: dict[int, list[torch.Tensor]] = {}
        along: dict[tuple[int, int], Rounds] = {}
        for output, (numbers, again, loose, result) in self._edges.items():
            adjoint = by_node.get(id(result))
            if adjoint is None or adjoint.shape != again.shape:
                continue
            sent = torch.autograd.grad(again, loose, adjoint, allow_unused=True, retain_graph=True)
            local = torch.autograd.grad(again.sum(), loose, allow_unused=True)
            parts += [each for each in sent if each is not None]
            derivatives += [each for each in local if each is not None]
            parts.append(result.detach() * adjoint)
            for number, each, derivative in zip(numbers, sent, local, strict=True):
                along[output, number] = [each, derivative]
                if each is not None:
                    sent_to.setdefault(number, []).append(each)
        terms: dict[int, list[torch.Tensor]] = {}
        held: list[torch.Tensor] = []
        values: list[torch.Tensor] = []
        for (number, node), adjoint in zip(self._nodes, adjoints, strict=True):
            values.append(node.detach())
            terms[id(values[-1])] = self._added.get(number, [])
            if adjoint is not None:
                held.append(adjoint)
                terms[id(adjoint)] = sent_to.get(number, [])
        parts = [part.detach() for part in parts]
        of = {n: a for (n, _), a in zip(self._nodes, adjoints, strict=True) if a is not None}
        loops = [*self._loops(of, along, sent_to)]
        return GraphTensors(values, held, derivatives, parts, terms, of, loops)

    def _loops(
        self,
        adjoints: Mapping[int, torch.Tensor],
        along: Mapping[tuple[int, int], Rounds],
        sent_to: Mapping[int, Sequence[torch.Tensor]],
    ) -> Iterator[Rounds]:
        """Of what an expression that runs several times gives and reads, the values, the adjoints,
        what is sent to it, and by which derivative."""
        values = {number: node.detach() for number, node in self._nodes}
        columns: dict[tuple[int, ...], None] = {}
        for ops in self._expressions.values():
            if len(ops) < 2:
                continue
            read = [*zip(*(op.reads for op in ops), strict=False)]
            outputs = [op.outputs[0] if op.outputs else -1 for op in ops]
            columns |= dict.fromkeys([*read, tuple(output for output in outputs if output >= 0)])
            for numbers in read:
                both = [along.get(key, [None, None]) for key in zip(outputs, numbers, strict=True)]
                yield from map(list, zip(*both, strict=True))
        several = [numbers for numbers in columns if len({*numbers}) > 1]
        so_far = {n: _partial_sums(sent_to.get(n, ())) for numbers in several for n in numbers}
        for numbers in several:
            yield [values.get(number) for number in numbers]
            yield [adjoints.get(number) for number in numbers]
            yield from map(list, zip(*(so_far[number] for number in numbers), strict=True))


class TaskValues(Program):
    """The graph of a task, each of whose functions is made of simple ops::

    values = TaskValues(variant)
    tensors = values.at(point)
    """

    def __init__(self, variant: MatrixVariant) -> None:
        leaves = variant.leaves
        tensors = sample(leaves)

        def run() -> dict[str, torch.Tensor]:
            with _Decomposed():  # type: ignore[no-untyped-call]
                value, adjoint = variant.task.differentiated(leaves, tensors)
                return {VALUE: value if adjoint is None else (value * adjoint).sum()}

        with torch.no_grad():
            code = inspect.unwrap(variant.task.function).__code__
            super().__init__(recorded(leaves, tensors, run, code))

    def at(self, point: torch.Tensor) -> GraphTensors:
        """The tensors at a point (D,). Raises NotReplayable."""
        with refusals(), torch.enable_grad():
            values = self._leaves(point, WIDENED)
            run = GraphRun(values)
            for step in self._steps:
                again = functools.partial(self._results, step, dtypes=WIDENED)
                results = again(values)
                run.add(step.op, values, again, results)
                values.update(zip(step.op.outputs, results, strict=False))
            tensors = run.tensors(values[self._recording.outputs[VALUE].value])
            return tensors._replace(of={})


class _Decomposed(DispatchMode):  # type: ignore[no-untyped-call]
    """Runs what torch fuses as the ops of which it is made."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        whole = DECOMPOSITIONS.get(func)
        if whole is None and not is_allowed(func.name()):
            whole = decompositions_of([func]).get(func, func.decompose)
        kwargs = kwargs or {}
        if whole is not None:
            with self:
                result = whole(*args, **kwargs)
            if result is not NotImplemented:
                return result
        return func(*args, **kwargs)


def blocks(tensor: torch.Tensor) -> list[torch.Tensor]:
    """What formulas for derivatives are put together from, of a value."""
    parts = [1 - tensor, tensor**2, 1 - tensor**2, 1 / tensor, 2 * tensor, tensor.exp()]
    for dim in range(tensor.dim()):
        centred = tensor - tensor.mean(dim, keepdim=True)
        shifted = tensor - tensor.amax(dim, keepdim=True)
        parts += [centred, shifted, shifted.exp(), tensor.amax(dim)]
        parts += [tensor.sum(dim), tensor.mean(dim)]
    return parts


SIDES = [slice(1, None), slice(2, None), slice(None, -1), slice(None, -2)]
"""Which of the terms of an adjoint a loop may have added up: all but those that the round before
sends, or the next."""


def _partial_sums(terms: Sequence[torch.Tensor]) -> Rounds:
    """What is left of a sum on each of the sides; None where no term is."""
    return [functools.reduce(torch.add, terms[side]) if terms[side] else None for side in SIDES]


FEW_TERMS = 6
"""Of sums of which any part is looked for."""


def parts_of_sum(terms: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The sums of some terms of a few."""
    counts = range(1, len(terms) if len(terms) <= FEW_TERMS else 0)
    chosen = (some for count in counts for some in itertools.combinations(terms, count))
    return [functools.reduce(torch.add, some) for some in chosen]


def _alone(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor without what it is made of."""
    return tensor.detach().requires_grad_(tensor.requires_grad)


def same(one: torch.Tensor | None, other: torch.Tensor) -> bool:
    """Whether two are the same tensor, but for roundings."""
    if one is None or one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.allclose(one, other, SAME, NOTHING)


class RightNumbers:
    """The numbers of some tensors; in whatever order another has them."""

    def __init__(self, tensors: Iterable[torch.Tensor]) -> None:
        self._vectors = [tensor.detach().reshape(-1).to(torch.float64) for tensor in tensors]
        self._sorted = torch.cat([torch.empty(0, dtype=torch.float64), *self._vectors])
        self._sorted.numpy().sort()  # torch's own makes as many indices, and a copy
        self._by_count: dict[int, torch.Tensor] = {}

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether all numbers of a tensor are among them; where there are zeros, as a mask leaves,
        whether they are those of one."""
        numbers = tensor.detach().reshape(-1).to(torch.float64)
        return self._have(numbers, self._off(numbers))

    def has_but_for_signs(self, tensor: torch.Tensor) -> bool:
        """The same of each number or its negative."""
        numbers = tensor.detach().reshape(-1).to(torch.float64)
        off = torch.minimum(self._off(numbers), self._off(-numbers))
        return self._have(numbers, off) or self._have(-numbers, off)

    def _off(self, numbers: torch.Tensor) -> torch.Tensor:
        """How far each is from the nearest of them."""
        if not len(self._sorted):
            return torch.full_like(numbers, math.inf)
        at = torch.searchsorted(self._sorted, numbers)
        at = at.clamp_max(len(self._sorted) - 1)
        below = self._sorted[(at - 1).clamp_min(0)]
        return torch.minimum((self._sorted[at] - numbers).abs(), (below - numbers).abs())

    def _have(self, numbers: torch.Tensor, off: torch.Tensor) -> bool:
        if not len(self._sorted) or not (off <= SAME * numbers.abs() + NOTHING).all():
            return False
        count = len(numbers)
        if count not in self._by_count:
            own = [each.sort().values for each in self._vectors if len(each) == count]
            self._by_count[count] = torch.stack(own) if own else torch.empty(0, count)
        alike = self._by_count[count]
        if not len(alike) or not (numbers.abs() <= NOTHING).any():
            return True
        ordered = numbers.sort().values
        return bool(((ordered - alike).abs() <= SAME * alike.abs() + NOTHING).all(1).any())


class Proportions:
    """Some tensors, of each the shares that its numbers have in the largest, signs apart."""

    def __init__(self, tensors: Iterable[torch.Tensor]) -> None:
        numbers = (tensor.reshape(-1).to(torch.float64) for tensor in tensors)
        self._by_count = {n: _shares(rows) for n, rows in _by_count(numbers).items()}

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor is a multiple of one of them, in whatever order."""
        alike = self._by_count.get(tensor.numel())
        if tensor.numel() < 3 or alike is None:
            return False
        own = _shares(tensor.reshape(-1).to(torch.float64))
        return bool(((own - alike).abs() <= SAME).all(1).any())


def _by_count(vectors: Iterable[torch.Tensor]) -> dict[int, torch.Tensor]:
    """Vectors, those of a length one below another."""
    by_count: dict[int, list[torch.Tensor]] = {}
    for each in vectors:
        by_count.setdefault(len(each), []).append(each)
    return {count: torch.stack(each) for count, each in by_count.items()}


def _shares(numbers: torch.Tensor) -> torch.Tensor:
    ordered = numbers.abs().sort(-1).values
    return ordered / ordered[..., -1:].clamp_min(1e-300)
