# verdict:
# why = "type hints, a docstring, once_differentiable"
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import Function, FunctionCtx, once_differentiable


class Rectifier(Function):
    """max(x, 0), with its derivative written by hand."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor) -> Tensor:
        negative: Tensor = x < 0
        ctx.save_for_backward(negative)
        return x.masked_fill(negative, 0.0)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        negative, = ctx.saved_tensors
        return grad_output.masked_fill(negative, 0.0)
