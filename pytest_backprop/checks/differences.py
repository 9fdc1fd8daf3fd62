"""Finds finite differences in a recorded pass: by two copies of one function, one with a weight
moved; or by nearly equal values whose difference is divided by something small.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch

from ..messages import say
from ..model import Op, Span
from ..trace.graph import op_name
from .case import Case
from .moved import PRODUCTS, SUMS, Move, Moved, apart, downstream, moved, nearer, operands, same

CANCELLED = 0.05
"""A difference is taken for one of nearby values when it is smaller than this part of them ..."""
NEARLY_ALL = 0.98
"""... at this share of the points, drawn from regimes in which nothing is near anything else."""
SMALL = 0.2
"""A step, or its part of a weight, is smaller; what is divided by it grows five times at least."""
COARSE = 0.05
"""A step that y itself needs is taken for one only if it is smaller."""
ROUNDING = 1e-11
"""Part of their size by which equal values may differ in float64, and a step is not smaller."""
APART = frozenset({"assignment", "signed", "small", "large"})
SLOPES = (-3, -2, -1, 1, 2, 3)
"""Powers of a node that derivatives have as a factor."""
STEPS = (0.5, 1.0, 2.0)
"""What a difference is divided by, in steps: both sides, one side, or twice one side."""


class Found(NamedTuple):
    """What gives finite differences away, as a sentence, and where."""

    message: str
    site: Span | None


def finite_difference(case: Case) -> Found | None:
    """None if nothing gives any away.

    Not found: differences of parts of the function (not of the whole) that are exact, as of a
    quadratic, and whose step is neither a number nor in proportion to the weight.
    """
    recording, flow = case.recording, case.flow
    if recording is None or flow is None or case.manual.replayed is None:
        return None
    ahead = flow.upstream(flow.result_sources)
    reaching = flow.upstream(set().union(set(), *flow.gradient_sources))
    only_back = [
        position
        for position in sorted(reaching - ahead)
        if op_name(recording.ops[position]) in SUMS
    ]
    if not only_back:
        return None
    asked = case.expected.judged & torch.tensor([r in APART for r in case.expected.regimes])
    again = moved(case, asked, reaching, ahead)
    if again is not None:
        for position in only_back:
            found = _copies(case, again, position, reaching, ahead)
            if found is not None:
                return found
    return _cancellation(case, asked, only_back, reaching, ahead)


# -- two copies --------------------------------------------------------------------------------


def _copies(
    case: Case, again: Moved, position: int, reaching: set[int], ahead: set[int]
) -> Found | None:
    """A difference A - B in which A is a number times y with a weight moved, and B one times y, moved
    otherwise or not; or A is B with a weight moved by a step, and the step divides the difference."""
    parts = operands(case, position, again.base.outputs)
    if len(parts) != 2:
        return None
    (_, a), (_, b) = parts
    width = max(again.base.outputs[p].shape[1] for p in (a, b))
    for element in range(width):
        for one, other in ((a, b), (b, a)):
            found = _whole(again, one, other, element)
            if found is not None:
                return found
            move = _part(again, one, other, element)
            if (
                move is not None
                and not _is_the_variants(case, again, move)
                and _divides(case, again, position, move, reaching, ahead)
            ):
                message = say(
                    "the pass takes finite differences, with a step of {step}",
                    step=f"{move.shift[0].abs().item():.3g}",
                )
                return Found(message, move.site)
    return None


def _whole(again: Moved, one: int, other: int, element: int) -> Found | None:
    a, b = _element(again.base.outputs[one], element), _element(again.base.outputs[other], element)
    y = again.base.result
    assert y is not None
    results = again.results
    plain = torch.tensor([move.plain for move in again.moves])
    # of a y that grows with the weight, every multiple is a y at some other weight
    tells = apart(results, y) & ~_multiple(results, y)
    moves = (tells & _multiple(results, a)) | (plain & nearer(results, y, a))
    if not bool(moves.any()):
        return None
    first = int(moves.long().argmax())
    values = torch.cat([y[None], results])
    found = results[first]
    if not bool(((_multiple(values, b) & apart(values, found)) | nearer(values, found, b)).any()):
        return None
    message = say(
        "the pass takes finite differences: it evaluates the function again with a weight moved"
    )
    return Found(message, again.moves[first].site)


def _multiple(rows: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
    """Whether a column (K,) is each of the rows (C, K) times a number: -1 in a sum, 8 in a difference
    of many points."""
    share = column / rows
    share = torch.where(torch.isfinite(share), share, torch.nan).nanmedian(-1, keepdim=True).values
    return same(rows * share, column) & (share[..., 0].abs() > ROUNDING)


def _part(again: Moved, one: int, other: int, element: int) -> Move | None:
    """The move that makes `other` what `one` is."""
    a = _element(again.base.outputs[one], element)
    b = _element(again.base.outputs[other], element)
    shifted = again.outputs[other]
    plain = torch.tensor([move.plain for move in again.moves])
    moves = plain & same(shifted[:, :, min(element, shifted.shape[2] - 1)], a)
    if not bool(moves.any()) or not bool(apart(a, b)):
        return None
    return again.moves[int(moves.long().argmax())]


def _element(output: torch.Tensor, element: int) -> torch.Tensor:
    """One column of (K, elements); the only one, if there is one."""
    return output[:, min(element, output.shape[1] - 1)]


def _is_the_variants(case: Case, again: Moved, move: Move) -> bool:
    """Whether the variant itself has the moved weight, or the number by which it is moved. What y
    needs is taken for the variant's too, unless the step is as small as those that pass for a
    limit: with a weight typed in as a number, the variant's own ops give steps."""
    shift = move.shift[0].abs().item()
    if move.ahead and shift > COARSE:
        return True
    own = case.variant_nodes()[again.at]
    moved = move.weights[:, (move.weights != case.expected.weights[again.at]).any(0)]
    if any(bool(same(own.T, column).any()) for column in moved.unbind(1)):
        return True
    return any(
        math.isclose(shift, factor * abs(known), rel_tol=1e-6)
        for known in case.variant_constants
        for factor in (1, 2)  # from one side to the other
    )


def _divides(
    case: Case, again: Moved, position: int, move: Move, reaching: set[int], ahead: set[int]
) -> bool:
    """Whether the difference, or its two sides before, are divided by the step."""
    for op, size in _factors(case, again.base.outputs, position, reaching, ahead):
        ratio = (size / move.shift if _is_division(op) else size * move.shift).abs()
        if any(torch.allclose(ratio, torch.full_like(ratio, s), rtol=1e-3) for s in STEPS):
            return True
    return False


# -- cancellation ------------------------------------------------------------------------------


def _cancellation(
    case: Case, asked: torch.Tensor, only_back: list[int], reaching: set[int], ahead: set[int]
) -> Found | None:
    """A difference of two nearly equal values, at nearly all points, that is divided by something
    small on the way to a gradient.

    Not asked of a pass whose gradients are exactly the variant's: no such difference is.
    """
    recording, replayed = case.recording, case.manual.replayed
    identical = case.manual.gradients_identical
    assert recording is not None
    assert replayed is not None
    if identical and all(identical):
        return None
    held = replayed.outputs
    for position in only_back:
        output = held.get(position)
        if output is None or output.shape[1] != 1:
            continue
        parts = [held[p] for _, p in operands(case, position, held) if held[p].shape[1] == 1]
        if not parts:
            continue
        size = torch.cat(parts, dim=1).abs().amax(dim=1)
        difference = output[:, 0].abs()
        # less is rounding, where terms cancel exactly
        counted = asked & (difference > ROUNDING * size) & torch.isfinite(size)
        near = difference[counted] < CANCELLED * size[counted]
        if (
            len(near)
            and near.double().mean().item() >= NEARLY_ALL
            and _magnified(case, position, asked, reaching, ahead)
        ):
            message = say(
                "the pass takes finite differences: it divides the difference of two nearly equal "
                "values"
            )
            return Found(message, recording.ops[position].site)
    return None


def _magnified(
    case: Case, position: int, asked: torch.Tensor, reaching: set[int], ahead: set[int]
) -> bool:
    """Whether the difference, or its two sides before, are divided by something small: everywhere,
    or in comparison to a weight."""
    replayed = case.manual.replayed
    assert replayed is not None
    own = case.variant_nodes()[asked].abs().T
    # what derivatives of the variant's own nodes are divided by is no step
    slopes = torch.cat([own**power for power in SLOPES])
    for op, size in _factors(case, replayed.outputs, position, reaching, ahead):
        if len(size) == 1:
            size = size.expand(len(asked))
        size = size[asked].abs()
        if bool(same(slopes, size).any()):
            continue
        if not _is_division(op):
            size = 1 / size
        if (size < SMALL).double().mean().item() >= NEARLY_ALL:
            known = {abs(float(c)) for c in case.variant_constants}
            if not any(math.isclose(size[0].item(), c, rel_tol=1e-6) for c in known):
                return True
        for weight in case.expected.weights[asked].abs().unbind(1):
            share = size / weight
            if share[0] < SMALL and torch.allclose(share, share[:1].expand_as(share), rtol=1e-6):
                return True
    return False


# -- what divides ------------------------------------------------------------------------------


def _factors(
    case: Case, held: dict[int, torch.Tensor], position: int, reaching: set[int], ahead: set[int]
) -> list[tuple[Op, torch.Tensor]]:
    """Products and quotients that a difference goes into, and those that made its sides after y
    was done; each with the sizes of its other operand, (N,) or (1,)."""
    recording, flow = case.recording, case.flow
    assert recording is not None
    assert flow is not None
    after = set(downstream(case, position, sorted(reaching)))
    before = flow.upstream({position}) - ahead
    found = []
    for p in sorted(after | before):
        op = recording.ops[p]
        if op_name(op) not in PRODUCTS:
            continue
        found += [
            (op, torch.tensor([float(arg)], dtype=torch.float64))
            for arg in op.args
            if isinstance(arg, int | float) and not isinstance(arg, bool) and arg
        ]
        # of a quotient only what it divides by
        values = op.reads[1:] if _is_division(op) else op.reads
        for value in values:
            data = recording.values[value].data
            if recording.values[value].origin == "constant" and len(data) == 1 and data[0]:
                found.append((op, torch.tensor(data, dtype=torch.float64)))
        for value, maker in operands(case, p, held):
            if value in values and held[maker].shape[1] == 1:
                found.append((op, held[maker][:, 0]))
    return found


def _is_division(op: Op) -> bool:
    return op_name(op).startswith("div")
