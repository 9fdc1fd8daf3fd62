"""What is right: the variant's values and gradients by torch autograd, and what autograd's own run
costs. The variant's text is interpreted, never executed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.autograd import forward_ad

from ...errors import UsageProblem
from ...messages import say
from ...model import VALUE, Leaf, gradient_of, gradient_places, stretches
from ...trace.codes import AnyCodes
from ...trace.graph import computes, op_name
from ...trace.record import Recorder
from ...trace.stack import StackReader
from .bank import Variant
from .scenarios import Points
from .torch_functions import KINKED, TORCH_FUNCTIONS
from .typed_task import MatrixVariant

CONDITION_RTOL = 1e-2
"""A point is judged where float32 autograd is within 1 % of float64, and where a change of the
point and of each op by float32 rounding moves the result by less. Replays run in float64, 10^9 times finer, so a
right answer cannot miss a tolerance of 5e-5 there."""

PERTURBATION = 2.0**-24
"""Relative size of float32 rounding."""
SHAKEN_RUNS = 8
"""Runs in which each op and each adjoint rounds by chance."""

MAX_LEFT_OUT = 0.5
"""A variant that is ill-conditioned on more of the points than this cannot be graded on them."""

IDLE = 1e-12
"""A derivative that is not larger at any point is none."""

NOTABLE = 0.1
"""Above this share of points left out, a note with the grade says so."""


class Expected(NamedTuple):
    """The variant's own value and gradients on N points, float64, by torch autograd.

    `weights` (N, W), `inputs` (N, X); `outputs` by name (N, elements), row-major; `judged` (N,) is False
    where the function is ill-conditioned or not finite, so that no right answer can be told from a
    wrong one. `regimes` names how each point was drawn. `float32_error` is how far autograd's own
    float32 run is off from each of the outputs, in absolute terms.
    """

    weights: torch.Tensor
    inputs: torch.Tensor
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
        return self.at(torch.arange(min(count, len(self.judged))))

    def at(self, rows: torch.Tensor) -> Expected:
        """The same on some of the points."""
        regimes = tuple(self.regimes[row] for row in rows.tolist())
        outputs, errors = (
            {name: numbers[rows] for name, numbers in of.items()}
            for of in (self.outputs, self.float32_error)
        )
        judged = self.judged[rows]
        return Expected(self.weights[rows], self.inputs[rows], outputs, judged, regimes, errors)


@functools.lru_cache(16)
def drawn_as(drawn: tuple[str, ...], regimes: frozenset[str]) -> torch.Tensor:
    """Which of the points, by how each was drawn, were drawn as one of some regimes says: (N,) bool, not to be
    changed."""
    return torch.tensor([regime in regimes for regime in drawn], dtype=torch.bool)


class AutogradCost(NamedTuple):
    """torch's own run of the variant: ops in all, ops of the backward, peak live values.

    `live` has the number of live values after each op.
    """

    ops: int
    backward_ops: int
    peak_live: int
    live: tuple[int, ...] = ()


def expected(variant: Variant, points: Points) -> Expected:
    """Values and gradients on the points, and which of them can be judged.

    Raises UsageProblem when too few can: the grader must not guess.
    """
    weights = torch.tensor(points.weights, dtype=torch.float64)
    inputs = torch.tensor(points.inputs, dtype=torch.float64)
    single = _evaluate(variant, weights.float(), inputs.float()).double()
    generator = torch.Generator().manual_seed(0)
    w, x = [weights], [inputs]
    for _ in range(2):
        dw = PERTURBATION * (2 * _rand_like(weights, generator) - 1)
        dx = PERTURBATION * (2 * _rand_like(inputs, generator) - 1)
        w += [weights * (1 + dw), weights * (1 - dw)]
        x += [inputs * (1 + dx), inputs * (1 - dx)]
    # at once: an op takes hardly longer for five times the points
    count, at = len(weights), (torch.cat(w), torch.cat(x))
    # each op rounds as float32 may: terms that cancel in one formula need not in another
    exact, *moved = torch.split(_evaluate(variant, *at, generator, count), count)
    here, *there = torch.split(_sides(variant, *at), count)
    error = (single - exact).abs()
    judged = torch.isfinite(exact).all(1) & torch.isfinite(single).all(1)
    scale = CONDITION_RTOL * exact.abs() + 1e-6
    for off in (error, *((near - exact).abs() for near in moved)):
        judged &= (off <= scale).all(1)
    for sides in there:
        judged &= (sides == here).all(1)
    outputs, errors = (_by_name(variant, numbers) for numbers in (exact, error))
    return Expected(weights, inputs, outputs, judged, points.regimes, errors)


def _by_name(variant: Variant, numbers: torch.Tensor) -> dict[str, torch.Tensor]:
    """Value and gradients (N, 1 + W) as outputs."""
    places = gradient_places(variant.weights, variant.leaves)
    gradients = {gradient_of(name): numbers[:, 1:][:, own] for name, own in places.items()}
    return {VALUE: numbers[:, :1], **gradients}


def rounding(variant: Variant, points: Points) -> torch.Tensor:
    """How far value and gradients (N, 1 + W) may be off where they are calculated in float32, by
    whatever formula: the greatest change of some runs, in absolute terms, in which each op and each
    adjoint rounds by chance."""
    weights = torch.tensor(points.weights, dtype=torch.float64)
    inputs = torch.tensor(points.inputs, dtype=torch.float64)
    exact, runs = _shaken_runs(variant, weights, inputs)
    return (runs - exact).abs().amax(0)


def gradient_growth(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """How many times larger than a rounding the relative error of each gradient is (N, W), as a
    mean of some runs in which each op and each adjoint rounds by chance. Terms that nearly cancel
    make it large, in whoever's pass."""
    exact, runs = _shaken_runs(variant, weights, inputs)
    return ((runs - exact).abs().mean(0) / exact.abs() / PERTURBATION)[:, 1:]


def has_idle_nodes(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> bool:
    """Whether the task itself calculates for nothing at the points (N, W) and (N, X): a node of which
    the value does not depend, or one that depends on no weight though it is calculated from some, as
    `w0 - w0`, so that its adjoint reaches no gradient. All derivatives of the value by nodes are from
    one backward pass, all of nodes along one random direction of the weights from one forward pass."""
    nodes: list[torch.Tensor] = []

    def each(run: Callable[..., torch.Tensor], *operands: torch.Tensor) -> torch.Tensor:
        node = run(*operands)
        if isinstance(node, torch.Tensor) and node.requires_grad:
            nodes.append(node)
        return node

    direction = _rand_like(weights, torch.Generator().manual_seed(1)) + 0.5
    with torch.enable_grad(), forward_ad.dual_level():
        w = [
            forward_ad.make_dual(column.clone().requires_grad_(), tangent)  # type: ignore[no-untyped-call]
            for column, tangent in zip(weights.unbind(1), direction.unbind(1), strict=True)
        ]
        y = variant.evaluate(_named(variant, w, list(inputs.unbind(1))), TORCH_FUNCTIONS, each=each)
        tangents = [forward_ad.unpack_dual(node).tangent for node in nodes]  # type: ignore[no-untyped-call]
        adjoints = torch.autograd.grad(y.sum(), nodes, allow_unused=True)
    return any(
        derivative is None or bool((derivative.abs() <= IDLE).all())
        for derivative in (*tangents, *adjoints)
    )


def _shaken_runs(
    variant: Variant, weights: torch.Tensor, inputs: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Value and gradients at the points (N, 1 + W); and off by chance, SHAKEN_RUNS times
    (runs, N, 1 + W)."""
    count = len(weights)
    at = weights.repeat(1 + SHAKEN_RUNS, 1), inputs.repeat(1 + SHAKEN_RUNS, 1)
    numbers = _evaluate(variant, *at, torch.Generator().manual_seed(0), count)
    return numbers[:count], numbers[count:].reshape(SHAKEN_RUNS, *numbers[:count].shape)


def values(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """The variant's value (N,) float64, as autograd's own run has it."""
    return _evaluate(variant, weights, inputs)[:, 0]


def gradients_of(
    variant: Variant, weights: torch.Tensor, inputs: torch.Tensor, weight: str
) -> torch.Tensor:
    """d y / d `weight` (N,) float64, where the program may load `NAME without derivative`."""
    with torch.enable_grad():
        w = [column.clone().requires_grad_() for column in weights.unbind(1)]
        named = _named(variant, w, list(inputs.unbind(1)))
        named |= {f"{name} without derivative": named[name].detach() for name in variant.weights}
        y = variant.evaluate(named, TORCH_FUNCTIONS)
        wanted = w[variant.weights.index(weight)]
        (gradient,) = torch.autograd.grad(y.sum(), wanted, allow_unused=True)
    return torch.zeros_like(weights[:, 0]) if gradient is None else gradient


def check_conditioning(variant: Variant, points: Expected) -> None:
    """Raises UsageProblem when more than half of the points cannot be judged."""
    left_out = 1 - points.judged.double().mean().item()
    if left_out > MAX_LEFT_OUT:
        raise UsageProblem(
            say(
                "variant {variant} is ill-conditioned or has no value on {share} of the {points} points",
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
        "{share} of the {points} points were left out: the variant is ill-conditioned there, or has "
        "no value",
        share=f"{share:.0%}",
        points=len(points.judged),
    )


def autograd_cost(variant: Variant) -> AutogradCost:
    """Ops and peak live values of autograd's own forward and backward, by our recorder.

    Scalars, weights one parameter each, or the tensors of a task of matrices; result and gradients
    counted; storages count once.
    """
    recorder = Recorder(StackReader(AnyCodes(), lambda *_: None), lambda _: None)
    leaves = variant.leaves or (
        *(Leaf(name, "weight") for name in variant.weights),
        *(Leaf(name, "input") for name in variant.inputs),
    )
    given: list[torch.Tensor] = []
    for leaf, places in stretches(leaves):
        if not leaf.is_drawn:
            fixed = torch.tensor(leaf.integers if leaf.number is None else leaf.number)
            given.append(fixed.reshape(leaf.shape))
            continue
        # the course's own weights and inputs are near these
        start, step = (0.5, 0.1) if leaf.kind == "weight" else (0.3, 0.2)
        numbers = torch.tensor([start + step * place for place in places]).reshape(leaf.shape)
        given.append(numbers.requires_grad_(leaf.kind == "weight"))
        recorder.leaf(numbers, leaf.kind, places)

    def run() -> torch.Tensor:
        y: torch.Tensor
        if isinstance(variant, MatrixVariant):
            y = variant.task.call(leaves, given).reshape(())
        else:
            named = dict(zip((leaf.name for leaf in leaves), given, strict=True))
            y = variant.evaluate(named, TORCH_FUNCTIONS)
        y.backward()  # type: ignore[no-untyped-call]
        return y

    with torch.enable_grad():
        recorder.run(run)
    recording = recorder.finish({})
    return AutogradCost(
        len(recording.ops),
        sum(
            op.context == "autograd" and (not variant.leaves or computes(op_name(op)))
            for op in recording.ops
        ),
        max(recording.live, default=0),
        recording.live,
    )


def _named(
    variant: Variant, weights: list[torch.Tensor], inputs: list[torch.Tensor]
) -> dict[str, torch.Tensor]:
    return dict(zip((*variant.weights, *variant.inputs), (*weights, *inputs), strict=True))


def _evaluate(
    variant: Variant,
    weights: torch.Tensor,
    inputs: torch.Tensor,
    shaken_by: torch.Generator | None = None,
    still: int = 0,
) -> torch.Tensor:
    """Value and gradients side by side: (N, 1 + W), in the weights' dtype; with a generator, each
    value and adjoint is off by a rounding of float32, but those of the first `still` points."""
    with torch.enable_grad():
        w = [column.clone().requires_grad_() for column in weights.unbind(1)]
        x = list(inputs.unbind(1))
        each = None if shaken_by is None else functools.partial(_shaken, shaken_by, still)
        y = variant.evaluate(_named(variant, w, x), TORCH_FUNCTIONS, each=each)
        gradients = torch.autograd.grad(y.sum(), w, materialize_grads=True)
    return torch.stack([y.detach(), *gradients], dim=1)


def _shaken(
    generator: torch.Generator, still: int, function: Callable[..., torch.Tensor], *operands: Any
) -> torch.Tensor:
    made = function(*(_with_shaken_adjoint(generator, still, operand) for operand in operands))
    if not isinstance(made, torch.Tensor) or not made.dim():  # of constants alone
        return made
    return made * _rounding_factor(made, generator, still)


def _rounding_factor(
    like: torch.Tensor, generator: torch.Generator, still: int = 0
) -> torch.Tensor:
    """What a rounding of float32 by chance multiplies each element by; 1 in the first `still` rows."""
    factor = 1 + PERTURBATION * (2 * _rand_like(like, generator) - 1)
    if still:
        factor[:still] = 1
    return factor


def _with_shaken_adjoint(generator: torch.Generator, still: int, operand: Any) -> Any:
    """The operand, off in what its adjoint gets from this one use: along `w0 / x` and `w0 * z` each
    its own way, or terms that cancel in every formula would look harmless however large they are."""
    if not isinstance(operand, torch.Tensor) or not operand.requires_grad:
        return operand
    used = operand.view_as(operand)
    factor = _rounding_factor(operand, generator, still)
    used.register_hook(lambda adjoint: adjoint * factor)  # type: ignore[no-untyped-call]
    return used


def _sides(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """On which side of its kink each abs, relu, max and min is: (N, kinks), -1, 0 or 1. At a kink
    any number between the two slopes is right, so a point there is not judged."""
    found = [torch.zeros(len(weights), dtype=torch.float64)]

    def run(function: Callable[..., torch.Tensor], *operands: Any) -> torch.Tensor:
        if function in KINKED:
            first, second = (*operands, 0.0)[:2]
            found.append(torch.as_tensor(first - second, dtype=torch.float64).sign())
        return function(*operands)

    named = _named(variant, list(weights.unbind(1)), list(inputs.unbind(1)))
    variant.evaluate(named, TORCH_FUNCTIONS, each=run)
    return torch.stack([side.expand(len(weights)) for side in found], dim=1)


def _rand_like(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    return torch.rand(tensor.shape, generator=generator, dtype=tensor.dtype)
