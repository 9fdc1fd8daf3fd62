"""What the outputs of a pass should be, and how they depend on what one of its expressions gives.
Where that is linear, most changes are refused by a product, without a run of the rest of the
pass."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..model import Leaf
from .tensor_bench import State, TensorBench
from .tensor_changes import Key, OpCall, Variant

LINEAR = 1e-7
"""Part of the sizes by which what is linear may be off."""
EXACT = 0.01
"""Part of the tolerance within which a change that is meant is: a replay runs in float64."""


class WantedOutputs(NamedTuple):
    """What outputs should be (P, elements) at the points of a bench, by name, and how near; which
    are right as they are, and which are not."""

    outputs: Mapping[str, torch.Tensor]
    right: Sequence[str]
    wrong: Sequence[str]
    rtol: float
    atol: float

    def holds(self, number: int, outputs: Mapping[str, torch.Tensor]) -> bool:
        """Whether all outputs of a run of a point are right."""
        names = (*self.wrong, *self.right)
        return all(name in outputs and self.near(number, name, outputs[name]) for name in names)

    def near(self, number: int, name: str, numbers: torch.Tensor) -> bool:
        """Whether an output of a run of a point is right; one that nobody asked for is."""
        if name not in self.outputs:
            return True
        right = self.outputs[name][number]
        return numbers.shape == right.shape and bool(
            ((numbers - right).abs() <= self.atol + self.rtol * right.abs()).all()
        )

    def factors(
        self,
        outputs: Mapping[str, torch.Tensor],
        without: Mapping[str, torch.Tensor],
        usual: Sequence[float] = (),
    ) -> Sequence[float]:
        """By what something may have to be multiplied: where outputs are linear in it, two runs
        tell, one with it and one without, at the first point; else the usual numbers. Never by
        zero: that is a term too many, or none at all."""
        ratios = []
        for name in self.wrong:
            if name not in outputs or name not in without:
                return usual
            own, none = outputs[name], without[name]
            right = self.outputs[name][0]
            if own.shape != right.shape or none.shape != right.shape:
                return usual
            share = own - none
            ratios.append(((right - none) / share)[share.abs() > 1e-9 * own.abs()])
        ratio = torch.cat(ratios)
        if not len(ratio) or not torch.isfinite(ratio).all():
            return usual
        if (ratio - ratio[0]).abs().max() > 1e-6 * ratio[0].abs():
            return usual
        return [plain(float(ratio[0]))] if ratio[0] else []


def plain(factor: float) -> float:
    """A whole number, or one part of so many, without what roundings leave."""
    for near in (round(factor), 1 / round(1 / factor) if 0 < abs(factor) < 1 else 0.0):
        if math.isclose(factor, near, rel_tol=1e-7):
            return float(near)
    return factor


def kind_of(factor: float) -> str:
    """The kind of a change that puts a factor in."""
    whole = max(abs(factor), 1 / abs(factor)) if factor else 0.0
    is_count = whole > 2 and math.isclose(whole, round(whole), rel_tol=1e-6)
    return "sign" if math.isclose(factor, -1) else "mean" if is_count else "factor"


def usual_factors(leaves: Sequence[Leaf]) -> list[float]:
    """What a number may have to be multiplied by: signs, halves, sizes, their products and roots,
    and the task's own numbers."""
    sizes = {size for leaf in leaves for size in leaf.shape if size > 1}
    counts = sizes | {a * b for a, b in itertools.combinations(sizes, 2)} | {n - 1 for n in sizes}
    own = [leaf.plain for leaf in leaves if leaf.literal]
    factors = {-1.0, 2.0, 0.5} | {number for number in own if type(number) is float and number}
    for count in counts - {0}:
        factors |= {1 / count, float(count), 1 / math.sqrt(count), math.sqrt(count)}
    return sorted(factors | {n / (n - 1) for n in sizes} | {(n - 1) / n for n in sizes})


class Slopes(NamedTuple):
    """Outputs f that are linear in what an expression gives in its rounds, v = (v1, …, vn), seen
    along a vector r::

        r·f(u) = r·f(v) + Σ g_i·(u_i - v_i),    g = Jᵀ r

    One run forwards and one backwards give g. Where f(u) is near what is wanted, r·f(u) is, too.
    """

    results: Sequence[torch.Tensor]
    slopes: Sequence[torch.Tensor]
    missing: float
    """By how much r·f(v) is off."""
    within: float

    def may_mend(self, results: Sequence[object]) -> bool:
        """Whether other results, one a round, may make all outputs right."""
        moved = 0.0
        for other, own, slope in zip(results, self.results, self.slopes, strict=True):
            if not isinstance(other, torch.Tensor) or other.shape != own.shape:
                return True
            moved += float(((other.to(own.dtype) - own) * slope).sum())
        return not abs(moved - self.missing) > self.within

    def factor(self, result: torch.Tensor) -> float:
        """By what another result of the only round is to be multiplied, if by a number."""
        (own,), (slope,) = self.results, self.slopes
        share = float((result.to(own.dtype) * slope).sum())
        factor = (self.missing + float((own * slope).sum())) / share if share else 0.0
        return plain(factor) if math.isfinite(factor) else 0.0


def slopes_of(bench: TensorBench, wanted: WantedOutputs, key: Key, state: State) -> Slopes | None:
    """Those of an expression at the first point; None where the outputs are not linear in it."""
    results = [bench.results[0][at] for at in bench.positions[key]]
    op = bench.op(key)
    if bench.is_written(op) or not all(each.is_floating_point() for each in results):
        return None
    pinned = [each.clone().requires_grad_() for each in results]
    along = _directions(wanted)
    with torch.enable_grad():
        own = _seen(bench.branch(0, key, state, _giving(pinned), is_differentiated=True), along)
    if own is None:
        return None
    slopes: Sequence[Any] = [None] * len(pinned)
    if own.requires_grad:
        try:
            slopes = torch.autograd.grad(own, pinned, allow_unused=True)
        except RuntimeError:
            return None
    slopes = [
        torch.zeros_like(each) if slope is None else slope
        for each, slope in zip(results, slopes, strict=True)
    ]
    if not any(slope.any() for slope in slopes):
        return None  # behind what is saturated; with other numbers it may not be
    size = 0.0
    for times in (1.5, -20.0):  # on either side of a kink, also where what is given is zeros
        others = [times * (each + 0.1 + ramp(each)) for each in results]
        other = _seen(bench.branch(0, key, state, _giving(others)), along)
        steps = [(v - w) * slope for v, w, slope in zip(others, results, slopes, strict=True)]
        size += sum(float(step.abs().sum()) for step in steps) + float(own.detach().abs())
        moved = sum(float(step.sum()) for step in steps)
        if other is None or not abs(float(other - own.detach()) - moved) <= LINEAR * size:
            return None
    missing = within = 0.0
    for name, direction in along.items():
        right = wanted.outputs[name][0]
        missing += float((right * direction).sum())
        within += EXACT * float(((wanted.atol + wanted.rtol * right.abs()) * direction).sum())
    return Slopes(results, slopes, missing - float(own.detach()), within + LINEAR * size)


def _giving(tensors: Sequence[torch.Tensor]) -> Variant:
    """One tensor a round."""
    rounds = iter(tensors)

    def variant(_: OpCall) -> torch.Tensor:
        return next(rounds).clone()

    return variant


def _directions(wanted: WantedOutputs) -> dict[str, torch.Tensor]:
    """A vector for each output, whose numbers count alike in all of them."""
    generator = torch.Generator().manual_seed(1)
    directions = {}
    for name in (*wanted.wrong, *wanted.right):
        right = wanted.outputs[name][0]
        size = float(right.abs().max()) if len(right) else 0.0
        directions[name] = torch.rand(len(right), generator=generator).double() / (size or 1.0)
    return directions


def _seen(
    outputs: Mapping[str, torch.Tensor], along: Mapping[str, torch.Tensor]
) -> torch.Tensor | None:
    """The sum of outputs along their directions; None where one is of another size."""
    if any(name not in outputs or len(outputs[name]) != len(r) for name, r in along.items()):
        return None
    parts = [(outputs[name] * direction).sum() for name, direction in along.items()]
    return torch.stack(parts).sum()


def ramp(tensor: torch.Tensor) -> torch.Tensor:
    """Numbers of its shape, in (-1, 1), no two alike."""
    return torch.arange(tensor.numel(), dtype=tensor.dtype).cos().reshape(tensor.shape)
