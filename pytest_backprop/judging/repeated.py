"""Finds where a pass calculates its value's own graph again for a gradient, with something else in
the place of some of its leaves, whatever number of leaves is moved at once, and whatever to.

Two ops are the same calculation if they are the same op with the same settings, and each operand of
one is the same calculation as that of the other. An op is a *copy* of the op that gives y if its
operands are the same as those of y's, but for weights and inputs: each of these may be replaced, by
one thing wherever it stands, and not all of them are.

A copy alone is no difference: where y is linear in a weight, the derivative by it is y's graph with
the adjoint in its place. So a number of a gradient must depend on two such calculations, of which
the value's own may be one. A number of a tensor is often a product like those that its gradient
adds up, and one copy may be a vector of many calculations. There the calculations must cancel as
well: when the same is added to all of them, the gradient stays what it is, as by every formula of
numerical differentiation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch

from ..messages import say
from ..model import VALUE, Items, Op, Ref, Span, is_gradient
from ..trace.calls import NotReplayable
from ..trace.graph import DataFlow, computes, op_name, puts_together
from ..trace.op_table import row_of
from .case import PassCase

LEAST = 3
"""Ops of y's graph; with fewer, many a term of a derivative has the form."""
LEAST_OF_TENSORS = 2
MOST = 2_000
"""Pairs of operands that are held against each other for one copy."""
MOST_COMPARED = 40
"""Calculations whose effect on a gradient is tried."""
COMMUTES = frozenset({"add", "mul"})
POINTS = 12
ADDED = 1e-5
"""What is added to the numbers of a calculation."""
UNMOVED = 1e-3
"""A gradient does not change if it changes by a smaller part of what one calculation changes."""

Element = tuple[object, object]
"""A number: the first op that calculates it, and its place in what that gives; of a weight or an
input `weight` or `input`, and which one it is; of what comes from elsewhere None, and where it
lies."""


class Operand(NamedTuple):
    """What an op reads, number by number."""

    elements: tuple[Element, ...]

    @property
    def makers(self) -> list[int]:
        """The ops that made it, each the first of its kind."""
        return sorted({maker for maker, _ in self.elements if isinstance(maker, int)})

    @property
    def is_leaf(self) -> bool:
        """Whether it is weights or inputs."""
        return all(maker == "leaf" for maker, _ in self.elements)


class Calculation(NamedTuple):
    """What an op calculates. `parts` are its operands and the numbers and settings it was given."""

    name: str
    parts: tuple[object, ...]


class FiniteDifference(NamedTuple):
    """What gives finite differences away, as a sentence, and where."""

    message: str
    site: Span | None


def repetition(case: PassCase, at: torch.Tensor) -> FiniteDifference | None:
    """The graph of the value, calculated again for a gradient that comes of two such calculations:
    where the first copy is calculated. None where there is none. `at` are points at which the
    gradient is tried."""
    flow, numbered = case.flow, _Calculations(case.flow)
    roots = _sources(flow, VALUE)
    if len(roots) != 1:
        return None
    (root,) = roots
    graph = {numbered.first[p] for p in flow.upstream({root})}
    height = numbered.height[numbered.first[root]]
    least = LEAST_OF_TENSORS if case.is_vjp else LEAST
    if sum(computes(numbered.of[position].name) for position in graph) < least:
        return None
    copies = {
        position
        for position, first in enumerate(numbered.first)
        if first not in graph
        and numbered.height[first] >= height
        and _Copy(numbered).of(numbered.first[root], first)
    }
    twins = {p for p, first in enumerate(numbered.first) if first == numbered.first[root]}
    for output in filter(is_gradient, flow.recording.outputs if copies else ()):
        behind = flow.upstream(_sources(flow, output))
        compared = behind & (copies | twins)
        if behind & copies and _is_difference(case, numbered, output, compared, at):
            # the innermost place of the copy at which the value is not calculated
            ops, statements = flow.recording.ops, flow.recording.statements
            first = ops[min(behind & copies)]
            ahead = statements[ops[root].statement].spans
            spans = [s for s in statements[first.statement].spans if s and s not in ahead]
            message = say(
                "the pass takes finite differences: it evaluates the function again with a weight "
                "moved"
            )
            return FiniteDifference(message, spans[-1] if spans else first.site)
    return None


def _sources(flow: DataFlow, output: str) -> set[int]:
    """The ops that calculate an output, or the element of a tensor that it is: what only moves data
    is looked through."""
    slot, sources = flow.recording.outputs.get(output), set(flow.sources[output])
    if slot is not None and slot.element is not None and len(sources) == 1:
        (position,) = sources
        if puts_together(flow.recording.ops[position]):
            part = flow.part_of(position, slot.element)
            sources = set() if part is None else set(flow.makers[position].get(part, ()))
    while moving := {p for p in sources if not computes(op_name(flow.recording.ops[p]))}:
        sources = (sources - moving).union(*(flow.producers[p] for p in moving))
    return sources


def _is_difference(
    case: PassCase, numbered: _Calculations, output: str, compared: set[int], at: torch.Tensor
) -> bool:
    """Whether a number of a gradient comes of two of the calculations. Of tensors, what is added to
    all of them must cancel in it as well."""
    recording, program = case.recording, case.manual.verified.program
    results = {p: recording.ops[p].outputs[:1] for p in compared}
    sizes = {p: sum(math.prod(recording.values[v].shape) for v in results[p]) for p in compared}
    same: dict[int, list[int]] = {}
    for position in sorted(compared):
        same.setdefault(numbered.first[position], []).append(position)
    is_single = not case.is_vjp and set(sizes.values()) == {1}
    if is_single and len(same) < 2:
        return False
    if program is None or not len(at):
        return is_single
    points = case.manual.expected.points[at[:POINTS]]

    def gradient(added: dict[int, torch.Tensor]) -> torch.Tensor:
        def add(position: int, value: torch.Tensor) -> torch.Tensor:
            return value + added[position].reshape(value.shape) if position in added else value

        return program.run(points, add).outputs[output]

    generator = torch.Generator().manual_seed(71)
    changes = []
    try:
        before = gradient({})
        for calculation in [*same.values()][:MOST_COMPARED]:
            numbers = ADDED * (0.5 + torch.rand(sizes[calculation[0]], generator=generator))
            changes.append((gradient(dict.fromkeys(calculation, numbers)) - before).abs())
        if is_single:
            return bool(((torch.stack(changes) > 0).any(1).sum(0) > 1).any())
        together = gradient({p: torch.full((size,), ADDED) for p, size in sizes.items()}) - before
    except (NotReplayable, LookupError):
        return False
    alone = torch.stack(changes).amax(0)
    return bool(((together.abs() <= UNMOVED * alone) & (alone > 0)).all(0).any())


class _Calculations:
    """The ops of a recording as numbered. `first` has, for each op, the first one that calculates
    the same; `of`, by the position of such a first one, what it calculates, and `height` how many
    calculations stand on each other there. A copy is as high as what it copies, or higher."""

    def __init__(self, flow: DataFlow) -> None:
        self.of: dict[int, Calculation] = {}
        self.height: dict[int, int] = {}
        self.first: list[int] = []
        self._flow = flow
        self._leaves: dict[int, frozenset[Operand]] = {}
        values = flow.recording.values
        self._elements: dict[tuple[int, int], Element] = {
            (value.storage, place): ("leaf", number)
            for position, value in enumerate(values)
            if value.origin in ("weight", "input")
            for number, place in enumerate(flow.positions(position), value.leaf)
        }
        """What lies at a place of a storage, as of the op that is numbered."""
        firsts: dict[Calculation, int] = {}
        for position, op in enumerate(flow.recording.ops):
            read = [self._part(arg) for arg in (*op.args, *op.kwargs.items())]
            data = [values[v].data for v in op.outputs] if op.target == "torch::constant" else ()
            term = Calculation(op_name(op).removesuffix("_"), (*read, *data))
            first = firsts.setdefault(term, position)
            self.first.append(first)
            if first == position:
                self.of[first] = term
                self._leaves[first] = self.leaves(term.parts)
                self.height[first] = 1 + self._highest(term.parts)
            if position not in flow.views:
                self._write(op, first, [part for part in read if isinstance(part, Operand)])

    def _write(self, op: Op, first: int, read: Sequence[Operand]) -> None:
        """Numbers what an op puts where it writes. What copies one operand calculates nothing."""
        values = self._flow.recording.values
        is_copy = row_of(op_name(op)).kind in ("copy", "own") and not op.writes and len(read) == 1
        for value in (*op.outputs, *op.writes):
            places = self._flow.positions(value)
            copied = is_copy and len(read[0].elements) == len(places)
            for at, place in enumerate(places):
                element = read[0].elements[at] if copied else (first, at)
                self._elements[values[value].storage, place] = element

    def _part(self, arg: object) -> object:
        if isinstance(arg, Items | tuple):
            return tuple(
                self._part(part) for part in (arg.items if isinstance(arg, Items) else arg)
            )
        if not isinstance(arg, Ref):
            return arg
        storage = self._flow.recording.values[arg.value].storage
        places = [(storage, place) for place in self._flow.positions(arg.value)]
        return Operand(tuple(self._elements.get(place, (None, place)) for place in places))

    def _highest(self, part: object) -> int:
        if isinstance(part, Operand):
            return max((self.height[maker] for maker in part.makers), default=0)
        return max(map(self._highest, part), default=0) if isinstance(part, tuple) else 0

    def leaves(self, part: object) -> frozenset[Operand]:
        """The leaves behind a part of a term."""
        if not isinstance(part, Operand):
            return frozenset().union(*map(self.leaves, part if isinstance(part, tuple) else ()))
        if part.is_leaf:
            return frozenset({part})
        return frozenset().union(*(self._leaves[maker] for maker in part.makers))


class _Copy:
    """What stands for each leaf where a calculation is done again."""

    def __init__(self, numbered: _Calculations) -> None:
        self._terms = numbered
        self._tried = 0
        self._instead: dict[Operand, object] = {}

    def of(self, root: int, position: int) -> bool:
        """Whether the op is the root with something else in place of some of the leaves."""
        try:
            same = self._is_same_op(root, position)
        except RecursionError:  # nobody writes a function so deep
            return False
        return same and any(leaf == other for leaf, other in self._instead.items())

    def _is_same_op(self, one: int, other: int) -> bool:
        mine, its = self._terms.of[one], self._terms.of[other]
        if mine.name != its.name or len(mine.parts) != len(its.parts):
            return False
        orders = [its.parts]
        if mine.name in COMMUTES:
            orders.append((its.parts[1], its.parts[0], *its.parts[2:]))
        for order in orders:
            before = self._instead.copy()
            if all(self._is_same(a, b) for a, b in zip(mine.parts, order, strict=True)):
                return True
            self._instead = before
        return False

    def _is_same(self, one: object, other: object) -> bool:
        self._tried += 1
        if isinstance(one, Operand) and one.is_leaf:
            return self._instead.setdefault(one, other) == other
        if one == other:
            leaves = self._terms.leaves(one)
            return all(self._instead.setdefault(leaf, leaf) == leaf for leaf in leaves)
        if not isinstance(one, tuple) or type(one) is not type(other) or self._tried > MOST:
            return False
        assert isinstance(other, tuple)
        if isinstance(one, Operand) and isinstance(other, Operand):
            return len(one.makers) == len(other.makers) > 0 and all(
                map(self._is_same_op, one.makers, other.makers)
            )
        return len(one) == len(other) and all(map(self._is_same, one, other))
