"""Finds differences that are exact, or whose step is wide: the pass evaluates a node again at weights
that it has moved, and its gradients do not change when a number is added to all those evaluations.

That is what a formula of numerical differentiation is, whatever its order and its step: weights of
values at moved arguments that add up to zero.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from random import SystemRandom
from typing import NamedTuple

import torch

from ...messages import say
from ...model import Recording, Span
from ...trace.columns import Change
from ...trace.graph import DataFlow
from ...trace.replay import Program
from .case import PassCase
from .repeated import repeated

POINTS = 12
MOVES = 96
"""Ways to move a weight that are tried."""
OTHERS = 384
"""Of those that put there what has nothing to do with the weight."""
FEW_INPUTS = 8
"""Of more none is moved."""
MOST_NUMBERS = 2**22
"""Calculated at once where moves are looked for."""
ELEMENTS = 4
"""Of one tensor that are looked at."""
SAME = 1e-8
"""Part of their size by which equal values may differ: two formulas for one function round apart."""
ADDED = 1e-5
"""What is added to an evaluation, as a part of its usual size."""
LOST = 1e9
"""How many times larger an evaluation is in which so little is lost by rounding: nothing is told at such a point."""
UNMOVED = 1e-3
"""A gradient that changes by a smaller part of what one evaluation alone changes does not change."""


class MovedDifference(NamedTuple):
    """What gives finite differences away, as a sentence, and where."""

    message: str
    site: Span | None


NOTHING = 1e-9
"""Relative to a node: what is left of terms that cancel is a number, zero, but for rounding."""
STEADY = 1e-6
"""Part of their size by which what is one number at all points may differ; of a weight, what is no step of it."""


NO_OP = -1
"""Made a leaf."""


class Column(NamedTuple):
    """One element of what an op made, or a leaf: its numbers (K,)."""

    op: int
    element: int
    numbers: torch.Tensor


class Move(NamedTuple):
    """A column in place of a leaf, a weight or, counted after these, an input; `common` if it is what many a rule has:
    that weight times a number, a number, another weight, or what has nothing to do with that weight."""

    leaf: int
    by: Column
    common: bool


def difference_at_moved_weights(
    case: PassCase, program: Program, at: torch.Tensor
) -> MovedDifference | None:
    """None if none is found. `at` are points to choose from."""
    flow, recording, replayed = case.flow, case.recording, case.manual.replayed
    assert replayed is not None
    at, places = at[:POINTS], functools.cache(_some_of)
    weights, inputs = case.manual.expected.weights[at], case.manual.expected.inputs[at]
    reaching = flow.upstream(set().union(*flow.gradient_sources))
    ahead = flow.upstream(flow.result_sources)
    values = set(flow.result_sources)
    if case.facts is not None:  # what is told is the sum of the value times its adjoint
        for _ in range(2):
            values |= {p for position in values for p in flow.producers[position]}
    columns = [
        Column(position, element, replayed.outputs[position][at, element])
        for position in sorted(reaching | ahead)
        if position in replayed.outputs
        for element in places(replayed.outputs[position].shape[1])
    ]
    own = torch.cat([case.variant_nodes(weights, inputs).T, inputs.T])
    candidates = [c for c in columns if c.op in reaching]
    if not candidates:
        return None
    typed_in = _typed_in(recording, sorted(reaching - ahead), len(at))
    moves = [
        *_moves([*typed_in, *candidates], own, weights, inputs),
        *_to_leaves(weights, inputs),
        *_to_others(candidates, own, weights, inputs),
    ]
    only_back = [c for c in columns if c.op in reaching - ahead and program.calculates(c.op)]
    if not moves or not only_back:
        return None
    moved = torch.cat([weights, inputs], dim=1).repeat(len(moves), 1, 1)
    for index, move in enumerate(moves):
        moved[index, :, move.leaf] = move.by.numbers
    moved, count = moved.flatten(0, 1), weights.shape[1]
    again = program.run_anyhow(moved[:, :count], moved[:, count:])
    back = torch.stack([c.numbers for c in only_back])
    copies = repeated(flow)
    # a factor of two makes w0 * x1 from itself, in many a rule
    rare = [index for index, move in enumerate(moves) if not move.common]
    for node in columns:
        tried = list(range(len(moves))) if node.op in values else rare
        if not tried or node.op not in ahead or node.op not in again.outputs:
            continue
        there = again.outputs[node.op][:, node.element].reshape(len(moves), 1, -1)[tried]
        hits = _same(there, back) & ~_same(there, node.numbers)
        told = hits.any(0).tolist()
        written = copies if node.op in values else ()
        evaluations = [c for c, hit in zip(only_back, told, strict=True) if hit or c[:2] in written]
        if all(_is_nothing(c, node) for c in evaluations):
            continue  # terms that are zero are what many a node is at a weight of zero
        # `-y` is what y may be at another weight, and no evaluation of its own
        evaluations = _independent(program, weights, inputs, evaluations, node)
        if not evaluations:
            continue
        equal = _same(back, node.numbers).tolist()
        unmoved = _first_of(flow, [c for c, same in zip(only_back, equal, strict=True) if same])
        ways: list[list[Column]] = [[], [node], unmoved]
        if not _add_up_to_zero(program, weights, inputs, _first_of(flow, evaluations), node, ways):
            continue
        told_by = hits.any(1)
        first = moves[tried[int(told_by.long().argmax())]].by.op if told_by.any() else NO_OP
        message = say(
            "the pass takes finite differences: it evaluates the function again with a weight moved"
        )
        evaluated = evaluations[0].op if first == NO_OP else first
        return MovedDifference(message, recording.ops[evaluated].site)
    return None


def _first_of(flow: DataFlow, evaluations: list[Column]) -> list[Column]:
    """Those that are not calculated from another of them: a number that is added there reaches them, too."""
    ops = {c.op for c in evaluations}
    return [c for c in evaluations if not (flow.upstream({c.op}) - {c.op}) & ops]


def _is_nothing(evaluation: Column, node: Column) -> bool:
    """Whether it is zero, but for rounding, where the node is not."""
    return bool((evaluation.numbers.abs() <= NOTHING * node.numbers.abs()).all())


def _some_of(count: int) -> Sequence[int]:
    """Of the elements of a tensor no more than a few, which nobody can foresee: what is done to a matrix
    is done to each of them. Those of tensors of one size must be the same: where one has a moved weight, the
    other has the node there."""
    return (
        range(count) if count <= ELEMENTS else sorted(SystemRandom().sample(range(count), ELEMENTS))
    )


def _typed_in(recording: Recording, positions: list[int], count: int) -> list[Column]:
    """The numbers that ops are given, as columns."""
    numbers = {
        float(arg): position
        for position in positions
        for arg in recording.ops[position].args
        if isinstance(arg, int | float) and not isinstance(arg, bool) and arg
    }
    return [
        Column(position, 0, torch.full((count,), number, dtype=torch.float64))
        for number, position in numbers.items()
    ]


def _moves(
    columns: list[Column], own: torch.Tensor, weights: torch.Tensor, inputs: torch.Tensor
) -> list[Move]:
    """Columns that are a weight and a step: a number, or a number times a leaf or another column; and
    numbers alone. None that the variant itself has."""
    others = torch.stack([column.numbers for column in columns])
    leaves = torch.cat([torch.ones_like(inputs[:, :1]), weights, inputs], dim=1).T
    leaves = torch.cat([leaves, others])
    given = len(leaves) - len(columns)
    made = torch.tensor([-1] * given + [column.op for column in columns])
    size = max(1, MOST_NUMBERS // max(1, leaves.numel() * weights.shape[1]))
    found: list[Move] = []
    for start in range(0, len(columns), size):
        block, numbers = columns[start : start + size], others[start : start + size]
        steps = (numbers[:, None] - weights.T)[:, :, None] / leaves
        spread = (steps - steps[..., :1]).abs() <= STEADY * steps[..., :1].abs()
        # of `t - w`, made later, `t` is no moved weight
        before = made < made[given + start :][:size, None]
        stepped = (spread.all(-1) & before[:, None]).any(-1)
        nothing = (numbers[:, None].abs() <= STEADY * weights.T.abs()).all(-1)
        times = _steady(numbers[:, None] / weights.T)
        scaled = nothing | times | _steady(numbers)[:, None]
        own_weight = _same(numbers[:, None], weights.T)
        common = scaled | own_weight.any(-1, keepdim=True)
        moved = (scaled | stepped) & ~own_weight
        moved &= ~_same(numbers[:, None], own).any(-1, keepdim=True)
        found += [
            Move(weight, block[row], bool(common[row, weight]))
            for row, weight in moved.nonzero().tolist()
        ]
    return found[:MOVES]


def _to_leaves(weights: torch.Tensor, inputs: torch.Tensor) -> list[Move]:
    """Another weight or an input in place of a weight: of what is linear in it, such a difference is exact."""
    leaves = [Column(NO_OP, 0, leaf) for leaf in torch.cat([weights, inputs], dim=1).T]
    count = weights.shape[1]
    return [
        Move(weight, leaf, common=True)
        for weight in range(count)
        for index, leaf in enumerate(leaves)
        if index != weight
    ]


def _to_others(
    columns: list[Column], own: torch.Tensor, weights: torch.Tensor, inputs: torch.Tensor
) -> list[Move]:
    """Whatever else is calculated in place of a weight or an input (`w0 * w0 + 3`), but for what the variant itself
    has: what is linear in a weight is told by any two values of it, or of what it is multiplied by."""
    leaves = weights.shape[1] + (inputs.shape[1] if inputs.shape[1] <= FEW_INPUTS else 0)
    numbers = torch.stack([column.numbers for column in columns])
    taken = torch.cat([own, weights.T])
    blocks = torch.split(numbers, max(1, MOST_NUMBERS // taken.numel()))
    known = torch.cat([_same(block[:, None], taken).any(-1) for block in blocks])
    others = [
        column for column, is_known in zip(columns, known.tolist(), strict=True) if not is_known
    ]
    return [Move(leaf, other, common=True) for other in others for leaf in range(leaves)][:OTHERS]


def _steady(numbers: torch.Tensor) -> torch.Tensor:
    """Whether rows (..., K) are one number each, but for rounding: (...) bool."""
    first = numbers[..., :1]
    return ((numbers - first).abs() <= STEADY * first.abs()).all(-1)


def _independent(
    program: Program,
    weights: torch.Tensor,
    inputs: torch.Tensor,
    evaluations: list[Column],
    node: Column,
) -> list[Column]:
    """Those of the evaluations that are not calculated from the node."""
    ran = program.run_anyhow(weights, inputs, _added([node], _little(node)))
    return [c for c in evaluations if _same(ran.outputs[c.op][:, c.element], c.numbers)]


def _little(node: Column) -> torch.Tensor:
    return ADDED * node.numbers.abs().median()


def _added(columns: list[Column], number: torch.Tensor, whole: bool = False) -> Change:
    """Adds a number to some elements of what ops make; to the `whole`, where not each of them is looked at."""

    def add(op: int, tensor: torch.Tensor) -> torch.Tensor:
        there = [c.element for c in columns if c.op == op]
        if not there:
            return tensor
        added = torch.zeros_like(tensor).reshape(-1, tensor.shape[-1])
        added[slice(None) if whole and len(added) > ELEMENTS else there] = number.to(tensor.dtype)
        return tensor + added.reshape(tensor.shape)

    return add


def _add_up_to_zero(
    program: Program,
    weights: torch.Tensor,
    inputs: torch.Tensor,
    evaluations: list[Column],
    node: Column,
    ways: Sequence[list[Column]],
) -> bool:
    """Whether some gradient changes when a number is added to one evaluation of the node, and does
    not when it is added to all, in one of the `ways`: without the node, with it, which is one too, or with where it
    is calculated once more."""
    number = _little(node)
    lost = torch.stack([c.numbers.abs() for c in evaluations]).amax(0) > LOST * number
    if 2 * lost.sum() > len(lost):
        return False

    def gradients(columns: list[Column], whole: bool = False) -> torch.Tensor:
        ran = program.run_anyhow(weights, inputs, _added(columns, number, whole))
        return torch.stack([g for g in ran.gradients if g is not None])

    before = gradients([])
    alone = torch.stack([(gradients([c]) - before).abs() for c in evaluations]).amax(0)
    for more in ways:
        together = (gradients([*evaluations, *more], whole=True) - before).abs()
        if ((together <= UNMOVED * alone) & (alone > 0) | lost).all(1).any():
            return True
    return False


def _same(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether rows (..., K) are equal: (...) bool."""
    size = torch.maximum(one.abs(), other.abs())
    return ((one - other).abs() <= SAME * size).all(-1)
