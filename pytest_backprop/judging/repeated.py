"""Finds where a pass calculates its value's own graph again for a gradient, with something else in
the place of some of its leaves, whatever number of leaves is moved at once, and whatever to.

Two ops are the same calculation if they are the same op with the same settings, and each operand of
one is the same calculation as that of the other. An op is a *copy* of the op that gives y if its
operands are the same as those of y's, but for leaves, which no op made: each of these may be
replaced, by one thing wherever it stands, and not all of several are.

A copy alone is no difference: where y is linear in a weight, the derivative by it is y's graph with
the adjoint in its place. So the calculations, of which the value's own may be one, must cancel in
some number of a gradient: when the same is added to all of them, it stays what it is, as by every
formula of numerical differentiation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

import torch

from ..messages import say
from ..model import VALUE, Items, Op, Ref, Span, is_gradient, places
from ..trace.calls import NotReplayable
from ..trace.graph import DataFlow, computes, op_name
from ..trace.op_table import row_of
from .case import PassCase

LEAST = 3
"""Ops of y's graph; with fewer, many a term of a derivative has the form."""
LEAST_OF_TENSORS = 1
MOST_COMPARED = 40
"""Calculations whose effect on a gradient is tried."""
POINTS = 12
ADDED = 1e-2
"""What is added to the numbers of a calculation."""
UNMOVED = 1e-3
"""A gradient does not change if it changes by a smaller part of what one calculation changes."""

Element = tuple[int | None, object]
"""A number: the first op that calculates it, and its place there; of a leaf None, and where it
lies."""


class Operand(NamedTuple):
    """What an op reads, number by number."""

    elements: tuple[Element, ...]

    @property
    def makers(self) -> list[int]:
        """The ops that made it, each the first of its kind."""
        return sorted({maker for maker, _ in self.elements if maker is not None})


class Calculation(NamedTuple):
    """What an op calculates. `parts` are its operands and the numbers and settings it was given."""

    name: str
    parts: tuple[object, ...]


class FiniteDifference(NamedTuple):
    """What gives finite differences away, as a sentence, and where."""

    message: str
    site: Span | None


def repetition(case: PassCase, at: torch.Tensor) -> FiniteDifference | None:
    """The graph of the value, calculated again for a gradient in which such calculations cancel:
    where the first copy is calculated. None where there is none. `at` are points at which the
    gradient is tried."""
    flow, ops = case.flow, case.recording.ops
    roots = set(flow.sources[VALUE])
    while moving := {p for p in roots if not computes(op_name(ops[p]))}:
        roots = (roots - moving).union(*(flow.producers[p] for p in moving))
    if len(roots) != 1:
        return None
    numbered = _Calculations(flow)
    (root,) = {numbered.first[p] for p in roots}
    graph = {numbered.first[p] for p in flow.upstream(roots)}
    least = LEAST_OF_TENSORS if case.is_vjp else LEAST
    if sum(computes(numbered.of[position].name) for position in graph) < least:
        return None
    firsts = set(numbered.first) - graph - flow.views
    copies = {first for first in firsts - _of_adjoint(case) if numbered.is_copy(root, first)}
    repeated = {p for p, first in enumerate(numbered.first) if first in copies}
    for output in filter(is_gradient, case.recording.outputs if copies else ()):
        behind = flow.serving(output)
        same: dict[int, list[int]] = {}
        for position in sorted(behind):
            if (first := numbered.first[position]) == root or first in copies:
                same.setdefault(first, []).append(position)
        if behind & repeated and _cancel(case, output, [*same.values()], at):
            # the innermost place of the copy at which the value is not calculated
            statements = case.recording.statements
            first_copy = ops[min(behind & repeated)]
            ahead = statements[ops[root].statement].spans
            spans = [s for s in statements[first_copy.statement].spans if s and s not in ahead]
            message = say(
                "the pass takes finite differences: it evaluates the function again with a weight "
                "moved"
            )
            return FiniteDifference(message, spans[-1] if spans else first_copy.site)
    return None


def _of_adjoint(case: PassCase) -> set[int]:
    """The ops that the adjoint of the value reaches: nothing of these evaluates the function."""
    if not (case.is_vjp and case.leaves[-1].is_drawn):
        return set()
    start = places(case.leaves)[case.leaves[-1].name].start
    recording, reached = case.recording, set[int]()
    adjoints = {
        at for at, v in enumerate(recording.values) if v.origin == "input" and v.leaf == start
    }
    for position, op in enumerate(recording.ops):
        if adjoints.intersection(op.reads) or reached.intersection(case.flow.producers[position]):
            reached.add(position)
    return reached


def _cancel(case: PassCase, output: str, calculations: list[list[int]], at: torch.Tensor) -> bool:
    """Whether a number of a gradient depends on a calculation, and stays what it is when the same
    is added to all of them. A calculation is the ops that do it."""
    program, points = case.manual.verified.paths[0].program, case.manual.expected.points
    points = points[at[:POINTS]]

    def gradient(changed: Collection[int], most: float) -> torch.Tensor:
        """With numbers from ADDED to `most` added to what ops give."""

        def add(position: int, value: torch.Tensor) -> torch.Tensor:
            if position not in changed:
                return value
            return value + torch.linspace(ADDED, most, value.numel()).reshape(value.shape)

        return program.run(points, add).outputs[output]

    try:
        before = gradient((), ADDED)
        # one that is a vector of evaluations would cancel in itself if all numbers were the same
        changes = [gradient(each, 2 * ADDED) - before for each in calculations[:MOST_COMPARED]]
        together = gradient({p for each in calculations for p in each}, ADDED) - before
    except (NotReplayable, LookupError):
        return False
    alone = torch.stack(changes).abs().amax(0)
    is_unmoved = (together.abs() <= UNMOVED * alone) & (alone > 0)
    return bool((is_unmoved.double().mean(0) > 0.5).any())  # at some points rounding hides it


class _Calculations:
    """The ops of a recording as numbered, but views. `first` has, for each op, the first one that
    calculates the same; `of`, by the position of such a first one, what it calculates, `height` how
    many calculations stand on each other there. A copy is as high as what it copies, or higher."""

    def __init__(self, flow: DataFlow) -> None:
        self.of: dict[int, Calculation] = {}
        self.height: dict[int, int] = {}
        self.first = [*range(len(flow.recording.ops))]
        self._flow = flow
        self._elements: dict[int, dict[int, Element]] = defaultdict(dict)
        """By storage what lies at a place, as of the op that is numbered."""
        values = flow.recording.values
        firsts: dict[Calculation, int] = {}
        for position, op in enumerate(flow.recording.ops):
            if position in flow.views:
                continue
            read: list[Operand] = []
            parts = [self._part(arg, read) for arg in (*op.args, *op.kwargs.items())]
            data = [values[v].data for v in op.outputs]
            term = Calculation(op_name(op).removesuffix("_"), (*parts, *data))
            first = firsts.setdefault(term, position)
            self.first[position] = first
            if first == position:
                below = [self.height[maker] for each in read for maker in each.makers]
                self.of[first], self.height[first] = term, 1 + max(below, default=0)
            self._write(op, first, read)

    def _write(self, op: Op, first: int, read: list[Operand]) -> None:
        """Numbers what an op puts where it writes. What copies one operand calculates nothing."""
        values = self._flow.recording.values
        is_copy = row_of(op_name(op)).kind in ("copy", "own") and not op.writes and len(read) == 1
        for value in (*op.outputs, *op.writes):
            places = self._flow.positions(value)
            copied = is_copy and len(read[0].elements) == len(places)
            elements = read[0].elements if copied else [(first, at) for at in range(len(places))]
            self._elements[values[value].storage].update(zip(places, elements, strict=True))

    def _part(self, arg: object, read: list[Operand]) -> object:
        """A part of a calculation; `read` gets the operands in it."""
        if isinstance(arg, Items | tuple):
            items = arg.items if isinstance(arg, Items) else arg
            return tuple([self._part(item, read) for item in items])
        if not isinstance(arg, Ref):
            return arg
        storage = self._flow.recording.values[arg.value].storage
        there, places = self._elements[storage], self._flow.positions(arg.value)
        read.append(Operand(tuple([there.get(at) or (None, (storage, at)) for at in places])))
        return read[-1]

    def is_copy(self, root: int, position: int) -> bool:
        """Whether a first op is the root with something else in place of some of the leaves."""
        if self.height[position] < self.height[root]:
            return False
        instead: dict[Operand, object] = {}
        todo: list[tuple[object, object]] = [(self.of[root], self.of[position])]
        compared = set(todo)
        while todo:
            one, other = todo.pop()
            if isinstance(one, Operand) and not one.makers:
                if instead.setdefault(one, other) != other:
                    return False
                continue
            if not isinstance(one, tuple) or type(one) is not type(other):
                if one != other:
                    return False
                continue
            if isinstance(one, Operand) and isinstance(other, Operand):
                one, other = ([self.of[maker] for maker in each.makers] for each in (one, other))
            if len(one) != len(other):
                return False
            pairs = set(zip(one, other, strict=True)) - compared
            compared |= pairs
            todo.extend(pairs)
        return len(instead) == 1 or any(leaf == other for leaf, other in instead.items())
