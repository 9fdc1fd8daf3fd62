# verdict:
# why = "no method"
# status = "unreadable: load-error @B"
import torch
from torch.autograd import Function


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @property
    def backward(ctx, grad_output):  # @B
        (x,) = ctx.saved_tensors
        return grad_output * (x >= 0)
