"""What is right: a task's value and gradients by torch autograd, and at which points that can be
told; what torch's own run of it costs, and calculates for nothing. The text of a task of scalars
is interpreted, never executed."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ...errors import UsageProblem
from ...messages import say
from ...model import VALUE, Recording, gradient_of, places
from ...trace.adjoints import idle_ops
from ...trace.calls import NotReplayable
from ...trace.graph import computes, op_name, rounds
from ...trace.replay import Program
from ...trace.torch_private import DispatchMode
from ..adjoint.tensors import recorded, sample
from .bank import FLOAT_FUNCTIONS, Variant
from .scenarios import Points
from .typed_task import MatrixVariant

CONDITION_RTOL, CONDITION_ATOL = 1e-2, 1e-6
"""A point is judged where float32 autograd is within 1 % of float64, and where a change of the
point and of each op by float32 rounding moves the result by less. Replays run in float64, 10^9
times finer, so a right answer cannot miss a tolerance of 5e-5 there."""
KINK_RTOL, KINK_ATOL = 1e-6, 1e-8
"""By how much value and gradients may bend within float32's rounding of a point that is judged."""

ROUNDED_RUNS = 8
"""Runs in which each op rounds by chance."""

PERTURBATION = 2.0**-24
"""Relative size of float32 rounding."""
MAX_LEFT_OUT = 0.5
"""A variant that is ill-conditioned on more of the points than this cannot be graded on them."""

NOTABLE = 0.1
"""Above this share of points left out, a note with the grade says so."""


def _run_in_torch(name: str, *operands: Any) -> Any:
    """A function of tensors, and of the numbers of a variant too: `max(w0, 2)`."""
    tensors = [operand for operand in operands if isinstance(operand, torch.Tensor)]
    if not tensors:
        return FLOAT_FUNCTIONS[name](*operands)
    if len(tensors) == len(operands):
        return getattr(torch, {"max": "maximum", "min": "minimum"}.get(name, name))(*operands)
    (number,) = (operand for operand in operands if not isinstance(operand, torch.Tensor))
    return torch.clamp(tensors[0], **{"min" if name == "max" else "max": number})


TORCH_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    name: functools.partial(_run_in_torch, name) for name in FLOAT_FUNCTIONS
}
"""The functions of a variant's text as torch's: autograd runs through them."""


class Rounded(DispatchMode):  # type: ignore[no-untyped-call]
    """Under this mode each number that an op calculates, autograd's among them, is off by a
    rounding by chance: multiplied by 1 + e, with e uniform in (-PERTURBATION, PERTURBATION). No
    rounding crosses 1: a probability stays one."""

    def __init__(self, generator: torch.Generator) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._generator = generator

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.is_view or not rounds(func.name().partition("::")[2].partition(".")[0], args):
            return result
        if isinstance(result, tuple | list):
            return type(result)(map(self._off, result))
        return self._off(result)

    def _off(self, result: Any) -> Any:
        if not isinstance(result, torch.Tensor) or not result.is_floating_point():
            return result
        off = result * (1 + PERTURBATION * _between_ones(result, self._generator))
        crosses = (result.abs() <= 1) & (off.abs() > 1)
        return result.copy_(torch.where(crosses, 2 * result.sign() - off, off))


class Unguarded(TorchFunctionMode):
    """Under this mode `binary_cross_entropy` is its formula. torch's own cuts logarithms at -100
    and quotients at 1e-12: where a probability is nearly 0 or 1, its gradient is no formula's."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        call = _cross_entropy if func is functional.binary_cross_entropy else func
        return call(*args, **(kwargs or {}))


def _cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> torch.Tensor:
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    each = -(target * input.log() + (1 - target) * (1 - input).log())
    each = each if weight is None else each * weight
    return {"mean": each.mean, "sum": each.sum}.get(reduction, lambda: each)()


class Expected(NamedTuple):
    """The variant's own value and gradients on N points, float64, by torch autograd.

    `points` (N, D); `outputs` by name (N, elements), row-major; `judged` (N,) is
    False where the function is ill-conditioned or not finite, so that no right answer can be told
    from a wrong one. `regimes` names how each point was drawn. `float32_error` is how far
    autograd's own float32 run is off from each of the outputs, in absolute terms."""

    points: torch.Tensor
    outputs: dict[str, torch.Tensor]
    judged: torch.Tensor
    regimes: tuple[str, ...]
    float32_error: dict[str, torch.Tensor]

    @property
    def widths(self) -> dict[str, int]:
        """How many elements each output has."""
        return {name: numbers.shape[1] for name, numbers in self.outputs.items()}

    @property
    def gradients(self) -> torch.Tensor:
        """Those of all weights side by side (N, W)."""
        return torch.cat([own for name, own in self.outputs.items() if name != VALUE], dim=1)

    def first(self, count: int) -> Expected:
        """The same on the first `count` points."""
        return self if count >= len(self.judged) else self.at(torch.arange(count))

    def at(self, rows: torch.Tensor) -> Expected:
        """The same on some of the points."""
        regimes = tuple(self.regimes[row] for row in rows.tolist())
        outputs, errors = (
            {name: numbers[rows] for name, numbers in of.items()}
            for of in (self.outputs, self.float32_error)
        )
        judged = self.judged[rows]
        return Expected(self.points[rows], outputs, judged, regimes, errors)


@functools.lru_cache(16)
def drawn_as(drawn: tuple[str, ...], regimes: frozenset[str]) -> torch.Tensor:
    """Which of the points, by how each was drawn, were drawn as one of some regimes says: (N,)
    bool, not to be changed."""
    return torch.tensor([regime in regimes for regime in drawn], dtype=torch.bool)


def expected(variant: Variant, drawn: Points) -> Expected:
    """Values and gradients on the points, and which of them can be judged.

    Where a task has a kink any number between two slopes is right, so a point there is not judged.
    A function f that is smooth between a point a and a + d, for d as small as float32's rounding,
    is a line there: f(a + d) - f(a) is twice f(a + d/2) - f(a). A value or gradient that jumps
    there misses that by its jump."""
    points = torch.tensor(drawn.rows, dtype=torch.float64)
    exact = outputs(variant, points)
    single = outputs(variant, points.float())
    error = {name: (single[name].double() - right).abs() for name, right in exact.items()}
    judged = torch.ones(len(points), dtype=torch.bool)
    for name, right in exact.items():
        off = CONDITION_RTOL * right.abs() + CONDITION_ATOL
        sound = torch.isfinite(right) & torch.isfinite(single[name]) & (error[name] <= off)
        judged &= sound.all(1)
    generator = torch.Generator().manual_seed(0)
    d = PERTURBATION * _between_ones(points, generator)
    for side in (1.0, -1.0):
        there = points * (1 + side * d)
        far, half = outputs(variant, there), outputs(variant, (points + there) / 2)
        # each op rounds as float32 may: terms that cancel in one formula need not in another
        with Rounded(generator):
            moved = outputs(variant, there)
        for name, right in exact.items():
            bend, off = (far[name] - 2 * half[name] + right).abs(), (moved[name] - right).abs()
            judged &= (bend <= KINK_RTOL * right.abs() + KINK_ATOL).all(1)
            judged &= (off <= CONDITION_RTOL * right.abs() + CONDITION_ATOL).all(1)
    return Expected(points, exact, judged, drawn.regimes, error)


def outputs(variant: Variant, points: torch.Tensor) -> dict[str, torch.Tensor]:
    """Value and gradients (N, elements), by name, at points (N, D), in their dtype."""
    at = places(variant.leaves)
    drawn = {leaf.name: leaf for leaf in variant.leaves if leaf.is_drawn}
    named = {
        name: points[:, at[name].start : at[name].stop].clone().reshape(-1, *leaf.shape)
        for name, leaf in drawn.items()
    }
    asked = {name: named[name] for name, leaf in drawn.items() if leaf.kind == "weight"}
    with torch.enable_grad(), Unguarded():
        for tensor in asked.values():
            tensor.requires_grad_()
        if isinstance(variant, MatrixVariant):
            value, adjoint = variant.differentiated(named)
        else:
            value, adjoint = variant.evaluate(named, TORCH_FUNCTIONS), None
        total = (value if adjoint is None else value * adjoint).sum()
        gradients = torch.autograd.grad(total, [*asked.values()], materialize_grads=True)
    results = {VALUE: value.detach()} | dict(zip(map(gradient_of, asked), gradients, strict=True))
    return {name: result.reshape(len(points), -1) for name, result in results.items()}


def gradient_growth(variant: Variant, points: torch.Tensor) -> torch.Tensor:
    """How many times larger than a rounding the relative error of each gradient is (N, W), as a
    mean of some runs in which each op rounds by chance, as float32 does. Terms that nearly cancel
    make it large, in whoever's pass."""
    exact = outputs(variant, points)
    with Rounded(torch.Generator().manual_seed(0)):
        runs = [outputs(variant, points) for _ in range(ROUNDED_RUNS)]
    growth = [
        torch.stack([(run[name] - right).abs() for run in runs]).mean(0)
        / right.abs()
        / PERTURBATION
        for name, right in exact.items()
        if name != VALUE
    ]
    return torch.cat(growth, dim=1)


def check_conditioning(variant: Variant, points: Expected) -> None:
    """Raises UsageProblem when more than half of the points cannot be judged."""
    left_out = 1 - points.judged.double().mean().item()
    if left_out > MAX_LEFT_OUT:
        raise UsageProblem(
            say(
                "variant {variant} is ill-conditioned or has no value on {share} of the {points} "
                "points",
                variant=variant.name,
                share=f"{left_out:.0%}",
                points=len(points.judged),
            ),
            say(
                "choose a variant whose denominators stay away from zero, and whose logarithms and "
                "roots from negative numbers"
            ),
        )


def left_out_note(points: Expected) -> str | None:
    """What to tell when a notable share of the points cannot be judged; None below that."""
    share = 1 - points.judged.double().mean().item()
    if share <= NOTABLE:
        return None
    return say(
        "{share} of the {points} points were left out: the variant is ill-conditioned there, or "
        "has no value",
        share=f"{share:.0%}",
        points=len(points.judged),
    )


def _between_ones(like: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Numbers in (-1, 1) by chance."""
    return 2 * torch.rand(like.shape, generator=generator, dtype=like.dtype) - 1


class AutogradCost(NamedTuple):
    """torch's own run of the variant: ops in all, ops of the backward, peak live values, numbers of
    all values together."""

    ops: int
    backward_ops: int
    peak_live: int
    numbers: int


def own_run(variant: Variant) -> Recording:
    """Scalars, weights one parameter each, or the tensors of a task of matrices. Value and
    gradients are the outputs."""
    leaves = variant.leaves
    named = dict(zip((leaf.name for leaf in leaves), sample(leaves), strict=True))
    asked = [leaf.name for leaf in leaves if leaf.kind == "weight"]
    weights = [named[name].requires_grad_() for name in asked]

    def run() -> dict[str, torch.Tensor]:
        adjoint: torch.Tensor | None = None
        if isinstance(variant, MatrixVariant):
            value, adjoint = variant.task.differentiated(leaves, [*named.values()])
        else:
            value = variant.evaluate(named, TORCH_FUNCTIONS)
        total = value if adjoint is None else (value * adjoint).sum()
        gradients = torch.autograd.grad(total, weights, materialize_grads=True)
        return {VALUE: value} | dict(zip(map(gradient_of, asked), gradients, strict=True))

    with torch.enable_grad():
        return recorded(leaves, [*named.values()], run)


def autograd_cost(variant: Variant) -> AutogradCost:
    """Ops and peak live values of autograd's own forward and backward; storages count once."""
    recording = own_run(variant)
    backward = [op for op in recording.ops if op.context == "engine"]
    return AutogradCost(
        len(recording.ops),
        sum(variant.of_scalars or computes(op_name(op)) for op in backward),
        max(recording.live, default=0),
        sum(math.prod(value.shape) for value in recording.values),
    )


def has_idle_nodes(variant: Variant, points: torch.Tensor) -> bool:
    """Whether torch's own run calculates for nothing at the points (N, D), as of `w0 - w0`."""
    try:
        return bool(idle_ops(Program(own_run(variant)), points))
    except NotReplayable:
        return False
