# verdict:
# class = "ReLU"
# why = "forward and backward stand in two classes"
import torch
from torch.autograd import Function


class Masked(Function):
    """Lets the gradient through where the saved mask says so."""

    @staticmethod
    def backward(ctx, grad_output):
        mask, = ctx.saved_tensors
        return torch.where(mask, grad_output, 0)


class ReLU(Masked):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        ctx.save_for_backward(mask)
        return torch.where(mask, x, 0)
