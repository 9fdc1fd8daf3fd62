# verdict:
# failed = "saved on-ctx @S s, double-backward wrong-second-order @A x"
import torch
from torch.autograd import Function


class SiLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.s = torch.sigmoid(x)  # @S
        ctx.save_for_backward(x)
        return x * ctx.s

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (ctx.s + x * ctx.s * (1 - ctx.s))  # @A
