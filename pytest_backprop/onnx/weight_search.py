"""Which weights a model was exported with, when they are folded into its constants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations

import torch

from ..exercises.functions.bank import Variant
from ..exercises.functions.torch_functions import TORCH_FUNCTIONS

TUPLES = 20_000
GUESSES = 20_000
STARTS = 64
STEPS = 60
ENOUGH = 1e-5
"""Relative: weights that explain three of four values so well are the ones."""


def find_weights(
    variant: Variant, inputs: torch.Tensor, values: torch.Tensor, numbers: Sequence[float]
) -> tuple[float, ...] | None:
    """Weights (W,) with which the variant comes nearest to `values` (N,) on `inputs` (N, X).

    First tries the numbers that stand in the model, in every order; then solves for the weights by
    least squares, from the best of these and from random starts. They may be nowhere near: it is
    for the caller to compare. None when hardly any value is finite.
    """
    count = len(variant.weights)
    finite = torch.isfinite(values)
    inputs, values = inputs[finite], values[finite]
    if len(values) < 2 * count + 2:
        return None
    tuples = list(islice(permutations(numbers, count), TUPLES))
    generator = torch.Generator().manual_seed(0)
    guesses = torch.rand((GUESSES, count), generator=generator, dtype=torch.float64)
    guesses[::2] = 4 * guesses[::2] - 2  # as from torch.rand, and as from torch.randn
    few = slice(0, 32)
    tried = torch.tensor(tuples, dtype=torch.float64).reshape(-1, count)
    best = torch.empty((0, count), dtype=torch.float64)
    for starts in (tried, guesses):
        if len(starts):
            scores = _scores(_values(variant, starts, inputs[few]), values[few])
            best = torch.cat([best, starts[scores.argsort()[:STARTS]]])
            scores = _scores(_values(variant, best, inputs), values)
            if scores.min() <= ENOUGH:
                return tuple(best[int(scores.argmin())].tolist())
    best = torch.cat([best, _solve(variant, best, inputs, values)])
    scores = _scores(_values(variant, best, inputs), values)
    return tuple(best[int(scores.argmin())].tolist())


def _values(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """(S, N), for weights (S, W) or, a row for each point, (S, N, W)."""
    rows = weights if weights.dim() == 3 else weights[:, None, :]
    named = {name: rows[..., i] for i, name in enumerate(variant.weights)}
    named |= {name: inputs[None, :, i] for i, name in enumerate(variant.inputs)}
    return variant.evaluate(named, TORCH_FUNCTIONS).expand(len(weights), len(inputs))


def _scale(values: torch.Tensor) -> torch.Tensor:
    return values.abs() + 1e-3 * values.abs().median() + 1e-12


def _scores(got: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """(S,): how far three quarters of the values are off at most, relatively; smaller is better."""
    off = ((got - values) / _scale(values)).abs()
    off = torch.where(torch.isfinite(off), off, torch.inf)
    return off.sort(dim=1).values[:, (3 * len(values)) // 4]


def _solve(
    variant: Variant, starts: torch.Tensor, inputs: torch.Tensor, values: torch.Tensor
) -> torch.Tensor:
    """Levenberg and Marquardt's least squares, for all starts (S, W) at once."""
    weights, damping = starts.clone(), torch.full((len(starts), 1, 1), 1e-2, dtype=torch.float64)
    eye = torch.eye(starts.shape[1], dtype=torch.float64)
    error, slopes, loss = _residuals(variant, weights, inputs, values)
    for _ in range(STEPS):
        square = slopes.transpose(1, 2) @ slopes
        scaled = damping * (square * eye + 1e-9 * eye)
        step = torch.linalg.solve(square + scaled, slopes.transpose(1, 2) @ error[..., None])
        moved = weights - step[..., 0]
        new_error, new_slopes, new_loss = _residuals(variant, moved, inputs, values)
        better = new_loss < loss
        weights = torch.where(better[:, None], moved, weights)
        error = torch.where(better[:, None], new_error, error)
        slopes = torch.where(better[:, None, None], new_slopes, slopes)
        loss = torch.where(better, new_loss, loss)
        damping = torch.where(better[:, None, None], damping / 3, damping * 4).clamp(1e-12, 1e12)
    return weights


def _residuals(
    variant: Variant, weights: torch.Tensor, inputs: torch.Tensor, values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Relative errors (S, N), their derivatives by the weights (S, N, W), and sums of squares.
    Errors are bounded, so that a pole does not decide alone."""
    with torch.enable_grad():
        rows = weights[:, None, :].expand(-1, len(inputs), -1).clone().requires_grad_()
        off = (_values(variant, rows, inputs) - values) / _scale(values)
        error = torch.tanh(off)
        (slopes,) = torch.autograd.grad(error.sum(), rows)
    error = torch.nan_to_num(error.detach(), 1.0, 1.0, -1.0)
    return error, torch.nan_to_num(slopes, 0.0, 0.0, 0.0), error.square().sum(1)
