# verdict:
# why = "no method"
# status = "unreadable: load-error @B"
import torch
from torch.autograd import Function


class ReLU(Function):
    @property
    def forward(ctx, x):  # @B
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x >= 0)
