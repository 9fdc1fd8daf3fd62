"""Runs a replayed pass again at weights that the pass itself has moved: which of its values are
another of its values at other weights? The recording answers, by numbers; nothing is guessed from
how an expression is spelt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from ..model import Op, Recording, Span
from ..trace.graph import op_name
from ..trace.replay import NotReplayable, Program, Replayed
from .case import Case

SUMS = frozenset({"add", "sub", "add_", "sub_", "rsub"})
PRODUCTS = frozenset({"div", "mul", "div_", "mul_"})
MOVERS = SUMS | PRODUCTS

POINTS = 16
"""Points that the pass is run on again, for each move."""
LEAST = 6
"""With fewer at which both sides are numbers, nothing is said."""
MOVES = 48
SAME = 1e-8
"""Part of their size by which equal values may differ: two formulas for one function round apart."""
NEAR = 0.2
"""A step in proportion to the weight is at most this part of it."""
CLEAR = 1e-5
"""Part of its size by which a value must change, or the move cannot be told from none."""


FINE = 1e-12
"""The same where the very formula of the pass is what is compared."""


class Move(NamedTuple):
    """Moved weights (K, W), and by how much (K,): a column, or the largest part of a vector.

    `plain` says that the shift is the same at every point, or a small part of the weight: a step,
    and not an expression such as the `2 * w0` of a power rule.
    """

    weights: torch.Tensor
    shift: torch.Tensor
    plain: bool
    site: Span | None


class Moved(NamedTuple):
    """The pass on K points (`at`: their rows), and the same at each move."""

    at: torch.Tensor
    moves: list[Move]
    base: Replayed
    results: torch.Tensor
    """(C, K)"""
    outputs: dict[int, torch.Tensor]
    """(C, K, elements), by op"""


def moved(case: Case, asked: torch.Tensor, reaching: set[int], ahead: set[int]) -> Moved | None:
    """The pass at every move that ops among `reaching` make; None if there is none.

    `asked` (N,) are points to choose from, `ahead` the ops that y needs.
    """
    program, replayed = case.manual.verified.program, case.manual.replayed
    at = asked.nonzero().flatten()[:POINTS]
    if program is None or replayed is None or replayed.result is None or len(at) < LEAST:
        return None
    outputs = {position: output[at] for position, output in replayed.outputs.items()}
    weights, inputs = case.expected.weights[at], case.expected.inputs[at]
    moves = _moves(case, outputs, weights, reaching, ahead)
    if not moves:
        return None
    ran = _run(program, torch.cat([move.weights for move in moves]), inputs.repeat(len(moves), 1))
    if ran is None or ran.result is None:
        return None
    count = len(moves)
    return Moved(
        at,
        moves,
        Replayed(replayed.result[at], (), outputs),
        ran.result.reshape(count, len(at)),
        {p: out.reshape(count, len(at), -1) for p, out in ran.outputs.items()},
    )


def _run(program: Program, weights: torch.Tensor, inputs: torch.Tensor) -> Replayed | None:
    try:
        return program.run(weights, inputs, outputs=True)
    except NotReplayable:
        return None


def _moves(
    case: Case,
    outputs: dict[int, torch.Tensor],
    weights: torch.Tensor,
    reaching: set[int],
    ahead: set[int],
) -> list[Move]:
    recording = case.recording
    assert recording is not None
    sums = [p for p in sorted(reaching & set(outputs)) if op_name(recording.ops[p]) in MOVERS]
    found: list[Move] = []
    for position in sums:
        output = outputs[position]
        if output.shape == weights.shape and output.shape[1] > 1:
            shift = output - weights
            plain = bool(_steady(shift).all())
            found.append(Move(output, _largest(shift), plain, recording.ops[position].site))
    found += _singles(case, [p for p in sums if outputs[p].shape[1] == 1], outputs, weights, ahead)
    # the two sides of a central difference: one is the other, moved by the distance between them
    singles = [(move, _column(move, weights)) for move in found if move.plain]
    for one, column in singles:
        for other, moves in singles:
            if column != moves or one is other:
                continue
            if bool(_steady(one.shift) & _steady(other.shift)):
                shifted = weights + (one.weights - other.weights)
            else:
                shifted = weights * (one.weights / other.weights)
            found.append(Move(shifted, one.shift - other.shift, True, one.site))
    kept: list[Move] = []
    for move in found:
        new = not any(torch.allclose(move.weights, other.weights, rtol=1e-12) for other in kept)
        if new and bool((move.shift != 0).any()):
            kept.append(move)
    return kept[:MOVES]


def _singles(
    case: Case,
    positions: list[int],
    outputs: dict[int, torch.Tensor],
    weights: torch.Tensor,
    ahead: set[int],
) -> list[Move]:
    """The moves of one weight that outputs of one element can be."""
    recording, flow = case.recording, case.flow
    assert recording is not None
    assert flow is not None
    if not positions:
        return []
    leaves = {v.storage for v in recording.values if v.origin == "weight"} | flow.leaf_copies()
    columns = torch.cat([outputs[p] for p in positions], dim=1)
    found = []
    for index, weight in enumerate(weights.unbind(1)):
        shifts = columns - weight[:, None]
        shares = columns / weight[:, None]
        constant, in_proportion = _steady(shifts), _steady(shares)
        plain = constant | (in_proportion & ((shares[0] - 1).abs() <= NEAR))
        for i, position in enumerate(positions):
            op = recording.ops[position]
            # y's own sums of a weight and something else are no moves of it
            loose = op_name(op) in SUMS and position not in ahead
            if (
                plain[i]
                or in_proportion[i]
                or (loose and leaves.intersection(_storages(recording, op)))
            ):
                whole = weights.clone()
                whole[:, index] = columns[:, i]
                found.append(Move(whole, shifts[:, i], bool(plain[i]), op.site))
    return found


def _column(move: Move, weights: torch.Tensor) -> tuple[bool, ...]:
    """Which weights it moves."""
    return tuple(bool(changed) for changed in (move.weights != weights).any(0))


def _largest(shift: torch.Tensor) -> torch.Tensor:
    at = shift.abs().amax(0).argmax()
    return shift[:, at]


def _steady(numbers: torch.Tensor) -> torch.Tensor:
    """Whether a column is the same at every point, but for rounding: () or (W,) bool."""
    return (numbers - numbers[0]).abs().amax(0) <= 1e-9 * (1 + numbers[0].abs())


def _storages(recording: Recording, op: Op) -> set[int]:
    return {recording.values[v].storage for v in op.reads}


def same(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether rows (..., K) are equal wherever both are numbers, and that is often enough."""
    both = torch.isfinite(one) & torch.isfinite(other)
    size = torch.maximum(one.abs(), other.abs())
    near = (one - other).abs() <= SAME * size
    return (both.sum(-1) >= LEAST) & (near | ~both).all(-1)


def apart(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Whether rows (..., K) differ clearly nearly everywhere."""
    both = torch.isfinite(one) & torch.isfinite(other)
    size = torch.maximum(one.abs(), other.abs())
    far = (one - other).abs() > CLEAR * size
    return ((far & both).sum(-1) >= LEAST) & ((~far & both).sum(-1) <= POINTS // 4)


def operands(case: Case, position: int, held: dict[int, torch.Tensor]) -> list[tuple[int, int]]:
    """For each operand of an op that an op before it made: its value, and that op's position."""
    recording = case.recording
    assert recording is not None
    found = []
    for value in recording.ops[position].reads:
        makers = [p for p in held if p < position and value in recording.ops[p].outputs]
        if makers:
            found.append((value, max(makers)))
    return found


def downstream(case: Case, start: int, within: Sequence[int]) -> list[int]:
    """`start` and the ops of `within`, in order, that data from it reaches."""
    flow = case.flow
    assert flow is not None
    reached = {start}
    for position in within:
        if position > start and flow.producers[position] & reached:
            reached.add(position)
    return sorted(reached)


def nearer(rows: torch.Tensor, other: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
    """Whether a column (K,) is each of the rows (C, K), or its negative, so nearly that it cannot
    be `other`, however small the step between the two."""
    effect = (rows - other).abs()
    size = torch.maximum(rows.abs(), other.abs())
    tells = torch.isfinite(effect) & (effect > FINE * size)
    found = torch.zeros(len(rows), dtype=torch.bool)
    for sign in (1, -1):
        close = ((sign * column - rows).abs() <= effect / 100) | ~tells
        found |= close.all(-1) & same(rows, sign * column)
    return found & (tells.sum(-1) >= LEAST)
