# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "0 / 0 at the kink, where versions of torch differ, but none gives that"
import torch
from torch.autograd import Function


class ReLUFunction(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x / x.abs() + 1) / 2  # @A
