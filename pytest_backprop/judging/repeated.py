"""Finds where a pass calculates its value's own graph again for a gradient, with something else in
the place of some of its leaves, whatever number of leaves is moved at once, and whatever to.

A difference needs two such calculations, of which the value's own may be one. One alone is no
difference: where y is linear in a weight, the derivative by it is y's graph with the adjoint in its
place. In y, which is one number, two are enough to tell. A number of a tensor is often a product
like those that its gradient adds up, so that there the calculations must cancel as well: when the
same is added to all of them, the gradient stays what it is, as by every formula of numerical
differentiation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch

from ..model import VALUE, Span, is_gradient
from ..trace.calls import NotReplayable
from ..trace.lowering import Walk, walk
from ..trace.scalar_nodes import Node
from .case import PassCase

LEAST = 3
"""Ops of y's graph; with fewer, many a term of a derivative has the form."""
LEAST_OF_TENSORS = 2
NUMBERS = 4
"""Of a tensor that are looked at."""
MOST = 2_000
"""Pairs of nodes that are held against each other for one copy."""
COMMUTES = frozenset({"add", "mul"})
POINTS = 12
ADDED = 1e-5
"""What is added to each calculation of a number."""
UNMOVED = 1e-3
"""A gradient does not change if it changes by a smaller part of what one calculation changes."""


class Repetition(NamedTuple):
    """The graph of the node `root` at other leaves: its copies, which a gradient comes of, and
    `compared`, which has the root too if that is behind the gradient."""

    root: int
    copies: frozenset[int]
    compared: frozenset[int]
    output: str
    element: int
    """The number of a gradient."""

    def site(self, case: PassCase) -> Span | None:
        """Where the first copy is calculated: the innermost place at which the root is not."""
        makes, recording = walk(case.flow).makes, case.recording
        first, own = (
            min(op for op, numbers in makes.items() if not nodes.isdisjoint(numbers))
            for nodes in (self.copies, {self.root})
        )
        ahead = recording.statements[recording.ops[own].statement].spans
        spans = recording.statements[recording.ops[first].statement].spans
        elsewhere = [span for span in spans if span is not None and span not in ahead]
        return elsewhere[-1] if elsewhere else recording.ops[first].site


def repetition(case: PassCase, at: torch.Tensor) -> Repetition | None:
    """The graph of the value, or of a number of it, calculated again for a gradient that comes of
    two such calculations. None where there is none, and where a recording cannot be taken apart. `at`
    are points at which to try what cancels."""
    walked = walk(case.flow)
    try:
        result = walked.results().outputs.get(VALUE, ())
    except LookupError:
        return None
    roots = [node for node in dict.fromkeys(result) if walked.nodes[node].operands]
    if not case.is_vjp:
        return next(_repetitions(walked, roots[0], LEAST), None) if len(roots) == 1 else None
    for root in roots[:NUMBERS]:
        for each in _repetitions(walked, root, LEAST_OF_TENSORS):
            if _cancels(case, walked, each, at):
                return each
    return None


def _repetitions(walked: Walk, root: int, least: int) -> Iterator[Repetition]:
    """Those of one number, for each gradient that comes of two of its calculations."""
    nodes = walked.nodes
    own = _below(nodes, root)
    if sum(bool(nodes[node].operands) for node in own) < least:
        return
    copies = {
        node
        for node in range(len(nodes))
        if node not in own and nodes[node].code == nodes[root].code and _Copy(nodes).of(root, node)
    }
    for output, gradient in walked.results().outputs.items() if copies else ():
        for element, node in enumerate(gradient if is_gradient(output) else ()):
            behind = frozenset(_below(nodes, node))
            compared = behind & (copies | {root})
            if behind & copies and len(compared) > 1:
                yield Repetition(root, behind & copies, compared, output, element)


def _cancels(case: PassCase, walked: Walk, repetition: Repetition, at: torch.Tensor) -> bool:
    """Whether the gradient changes when something is added to one of the calculations, and does not
    when it is added to all of them."""
    program, at = case.manual.verified.program, at[:POINTS]
    if program is None:
        return False
    weights, inputs = case.manual.expected.weights[at], case.manual.expected.inputs[at]

    def gradient(*nodes: int) -> torch.Tensor:
        def add(position: int, value: torch.Tensor) -> torch.Tensor:
            numbers = walked.makes.get(position, ())
            if len(numbers) != value.numel():
                return value
            there = torch.tensor([number in nodes for number in numbers])
            return value + ADDED * there.reshape(value.shape)

        outputs = program.run_anyhow(weights, inputs, add).outputs
        nothing = torch.full((len(at), 1 + repetition.element), torch.nan)
        return outputs.get(repetition.output, nothing)[:, repetition.element]

    try:
        before = gradient()
        changes = [(gradient(node) - before).abs() for node in repetition.compared]
        together = (gradient(*repetition.compared) - before).abs()
    except NotReplayable:
        return False
    alone = torch.stack(changes).amax(0)
    return bool(((together <= UNMOVED * alone) & (alone > 0)).all())


def _below(nodes: Sequence[Node], root: int) -> set[int]:
    """A node and all that it is calculated from."""
    reached, ahead = {root}, [root]
    while ahead:
        operands = set(nodes[ahead.pop()].operands) - reached
        reached |= operands
        ahead += operands
    return reached


class _Copy:
    """What stands for each leaf where a node is calculated again."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._tried = 0
        self._leaves: dict[int, int] = {}

    def of(self, root: int, node: int) -> bool:
        """Whether the node is the root with something else in place of some of the leaves."""
        try:
            return self._matches(root, node) and any(a == b for a, b in self._leaves.items())
        except RecursionError:  # nobody writes a function so deep
            return False

    def _matches(self, one: int, other: int) -> bool:
        self._tried += 1
        mine, its = self._nodes[one], self._nodes[other]
        if mine.code == "leaf":
            return self._leaves.setdefault(one, other) == other
        if one == other:
            leaves = [n for n in _below(self._nodes, one) if self._nodes[n].code == "leaf"]
            return all(self._leaves.setdefault(leaf, leaf) == leaf for leaf in leaves)
        same = (mine.code, mine.number, mine.name) == (its.code, its.number, its.name)
        if not same or len(mine.operands) != len(its.operands) or self._tried > MOST:
            return False
        orders = [its.operands]
        if mine.code in COMMUTES:
            orders.append(its.operands[::-1])
        for order in orders:
            before = self._leaves.copy()
            if all(self._matches(a, b) for a, b in zip(mine.operands, order, strict=True)):
                return True
            self._leaves = before
        return False
