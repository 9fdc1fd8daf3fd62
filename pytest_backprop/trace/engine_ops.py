"""What torch's engine runs of a loss or a layer, run again: its kernels take sizes and indices on trust, as the
engine gives them what forward made. A recording comes from a process that ran untrusted code, so these are
looked at first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch


def _softmax_backward(
    grad: torch.Tensor, output: torch.Tensor, dim: int, dtype: torch.dtype
) -> Any:
    _require(grad.shape == output.shape)
    return torch.ops.aten._softmax_backward_data(grad, output, dim, output.dtype)


def _log_softmax_backward(
    grad: torch.Tensor, output: torch.Tensor, dim: int, dtype: torch.dtype
) -> Any:
    _require(grad.shape == output.shape)
    return torch.ops.aten._log_softmax_backward_data(grad, output, dim, output.dtype)


def _nll_loss_backward(
    grad: torch.Tensor, scores: torch.Tensor, target: torch.Tensor, weight: torch.Tensor | None,
    reduction: int, ignore_index: int, total_weight: torch.Tensor,
) -> Any:  # fmt: skip
    classes = scores.shape[-1]
    _require(scores.dim() in (1, 2) and target.shape == scores.shape[:-1])
    _require(grad.shape in ((), target.shape) and total_weight.numel() == 1)
    _require(weight is None or weight.shape == (classes,))
    counted = torch.where(target != ignore_index, target, 0)
    _require(torch.equal(counted.clamp(0, classes - 1), counted))
    return torch.ops.aten.nll_loss_backward(
        grad, scores, target, weight, reduction, ignore_index, total_weight
    )


def _layer_norm_backward(
    grad: torch.Tensor, given: torch.Tensor, shape: Sequence[int], mean: torch.Tensor,
    rstd: torch.Tensor, weight: torch.Tensor | None, bias: torch.Tensor | None,
    mask: Sequence[bool],
) -> Any:  # fmt: skip
    rows = given.dim() - len(shape)
    _require(rows >= 0 and tuple(given.shape[rows:]) == tuple(shape) and grad.shape == given.shape)
    _require(mean.numel() == rstd.numel() == math.prod(given.shape[:rows]))
    _require(all(each is None or each.shape == tuple(shape) for each in (weight, bias)))
    return torch.ops.aten.native_layer_norm_backward(
        grad, given, shape, mean, rstd, weight, bias, mask
    )


def _require(sound: bool) -> None:
    """Raises ValueError for operands that the engine cannot have given."""
    if not sound:
        raise ValueError("operands of other sizes than the engine gives")


CHECKED: Mapping[str, Callable[..., Any]] = {
    "_softmax_backward_data": _softmax_backward,
    "_log_softmax_backward_data": _log_softmax_backward,
    "nll_loss_backward": _nll_loss_backward,
    "native_layer_norm_backward": _layer_norm_backward,
}
"""By the op's name."""
