"""Finds finite differences in a recorded pass: by a literal step, or by what they do to digits."""

from __future__ import annotations

import math

import torch

from ..model import Op, Recording, Span
from ..trace.graph import DataFlow, op_name
from ..trace.replay import NotReplayable, Program
from .case import Case

SMALL_STEP = 0.05
"""A number this small that is added to a weight is a step, unless the variant has it too."""
CANCELLED = 0.05
"""A difference is taken for one of nearby values when it is smaller than this part of them ..."""
NEARLY_ALL = 0.98
"""... at this share of the points, drawn from regimes in which nothing is near anything else."""
ROUNDING = 1e-11
"""Part of their size by which equal values may differ in float64, and a step is not smaller."""
EXACT = 1e-9
"""Part of its size by which one value, computed twice in float64 in other orders, may differ."""
MOST_STEPS = 12
"""Steps that are tried: each costs two more replays for each weight."""
APART = frozenset({"assignment", "signed", "small", "large"})

SUMS = frozenset({"add", "sub", "add_", "sub_", "rsub"})
PRODUCTS = frozenset({"div", "mul", "div_", "mul_"})

Found = tuple[str, Span | None]


def finite_difference(case: Case) -> Found | None:
    """What gives finite differences away, in words to follow "takes finite differences", and where.

    None if nothing does. A difference that is exact (of a linear function, with any step) shows in
    neither digits nor steps, but in values of the variant at a moved weight.
    """
    recording, flow = case.recording, case.flow
    if recording is None or flow is None:
        return None
    reaching = flow.upstream(set().union(set(), *flow.gradient_sources))
    return (
        _literal_step(case, recording, flow, reaching)
        or _cancellation(case, recording, flow, reaching)
        or _moved_value(case, recording, flow, reaching)
    )


def _moved_value(
    case: Case, recording: Recording, flow: DataFlow, reaching: set[int]
) -> Found | None:
    """The pass's own y at a weight that was moved by a number, or two of them at a weight that was
    set to two numbers: whoever computes gradients by hand computes neither."""
    replayed, program = case.manual.replayed, case.manual.verified.program
    if replayed is None or program is None:
        return None
    numbers: dict[float, None] = {}
    for position in sorted(reaching):
        op = recording.ops[position]
        if op_name(op) in SUMS and any(_is_weight(recording, flow, v) for v in op.reads):
            numbers.update(dict.fromkeys(_numbers(case, recording, op)))
    steps = [sign * number for number in list(numbers)[:MOST_STEPS] for sign in (1, -1)]
    aside = sorted(reaching - flow.upstream(flow.result_sources))
    values = {p: replayed.outputs[p] for p in aside if p in replayed.outputs}
    for weight in range(len(case.weight_names)):
        for step in steps:
            moved = _value_at(case, program, weight, step, add=True)
            for position, output in values.items():
                if _holds(output, moved, case):
                    return f", with a step of {abs(step):g}", recording.ops[position].site
        ends = [_value_at(case, program, weight, end, add=False) for end in (0.0, 1.0)]
        for position in aside:
            op = recording.ops[position]
            makers = {p for v in op.reads for p in flow.writers(v)}
            parts = [values[p] for p in makers if p in values]
            if op_name(op) in ("sub", "rsub") and all(
                any(_holds(part, end, case) for part in parts) for end in ends
            ):
                return ": it takes the difference of two values of y", op.site
    return None


def _value_at(
    case: Case, program: Program, weight: int, number: float, add: bool
) -> torch.Tensor | None:
    """The pass's y (N,) with one weight moved by a number, or set to it; None where that is the
    same y, or cannot be run."""
    weights = case.expected.weights.clone()
    weights[:, weight] = number + (weights[:, weight] if add else 0.0)
    try:
        moved = program.run(weights, case.expected.inputs, outputs=False).result
    except NotReplayable:
        return None
    plain = None if case.manual.replayed is None else case.manual.replayed.result
    if moved is None or plain is None or torch.equal(moved, plain):
        return None
    return moved


def _holds(output: torch.Tensor, wanted: torch.Tensor | None, case: Case) -> bool:
    """Whether some column of an output (N, k) is `wanted` at every point that is judged."""
    if wanted is None or output.shape[0] != len(wanted) or output.shape[1] > MOST_STEPS:
        return False
    asked = case.expected.judged & torch.isfinite(wanted)
    if not bool(asked.any()):
        return False
    got, right = output[asked], wanted[asked, None]
    return bool(((got - right).abs() <= EXACT * right.abs()).all(dim=0).any())


def _literal_step(
    case: Case, recording: Recording, flow: DataFlow, reaching: set[int]
) -> Found | None:
    """A weight moved by a small number, and a product or quotient by that number."""
    steps: list[tuple[float, Span | None]] = []
    for position in sorted(reaching):
        op = recording.ops[position]
        if op_name(op) in SUMS and any(_is_weight(recording, flow, v) for v in op.reads):
            for number in _numbers(case, recording, op):
                if number <= SMALL_STEP and not any(
                    math.isclose(number, abs(known), rel_tol=1e-6)  # 0.01 in float32
                    for known in case.variant_constants
                ):
                    steps.append((number, op.site))
    for step, site in steps:
        factors = (step, 2 * step, 1 / step, 1 / (2 * step))
        for position in reaching:
            op = recording.ops[position]
            if op_name(op) in PRODUCTS and any(
                math.isclose(number, factor, rel_tol=1e-3)
                for number in _numbers(case, recording, op)
                for factor in factors
            ):
                return f", with a step of {step:g}", site
    return None


def _cancellation(
    case: Case, recording: Recording, flow: DataFlow, reaching: set[int]
) -> Found | None:
    """A difference of two nearly equal values, at nearly all points, on the way to a gradient.

    Not asked of a pass whose gradients are exactly the variant's: no difference is.
    """
    replayed = case.manual.replayed
    identical = case.manual.gradients_identical
    if replayed is None or (identical and all(identical)):
        return None
    apart = torch.tensor([regime in APART for regime in case.expected.regimes])
    asked = case.expected.judged & apart
    makers = {v: p for p in replayed.outputs for v in recording.ops[p].outputs}
    for position in sorted(reaching - flow.upstream(flow.result_sources)):
        op = recording.ops[position]
        outputs = replayed.outputs.get(position)
        if op_name(op) not in SUMS or outputs is None or outputs.shape[1] != 1:
            continue
        parts = [replayed.outputs[makers[v]] for v in op.reads if v in makers]
        parts = [part for part in parts if part.shape[1] == 1]
        if not parts:
            continue
        size = torch.cat(parts, dim=1).abs().amax(dim=1)
        difference = outputs[:, 0].abs()
        # less is rounding, where terms cancel exactly
        counted = asked & (difference > ROUNDING * size) & torch.isfinite(size)
        near = difference[counted] < CANCELLED * size[counted]
        if len(near) and near.double().mean().item() >= NEARLY_ALL:
            return ": it divides the difference of two nearly equal values", op.site
    return None


def _numbers(case: Case, recording: Recording, op: Op) -> list[float]:
    """Sizes of an op's operands that are the same at every point: literals, constant tensors, and
    what is made of constants alone."""
    found = [
        abs(float(arg))
        for arg in op.args
        if isinstance(arg, int | float) and not isinstance(arg, bool)
    ]
    outputs = {} if case.manual.replayed is None else case.manual.replayed.outputs
    for value in op.reads:
        if recording.values[value].origin == "constant":
            found += [abs(number) for number in recording.values[value].data]
    for position, output in outputs.items():
        made = recording.ops[position].outputs
        if made and made[0] in op.reads and bool((output == output[:1]).all()):
            found += output[0].abs().tolist()
    return [number for number in found if number]


def _is_weight(recording: Recording, flow: DataFlow, value: int) -> bool:
    storage = recording.values[value].storage
    return storage in flow.leaf_copies() or any(
        v.storage == storage and v.origin == "weight" for v in recording.values
    )
