# verdict:
# why = "saves a mask of bools instead of the input"
import torch
from torch.autograd import Function


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask
