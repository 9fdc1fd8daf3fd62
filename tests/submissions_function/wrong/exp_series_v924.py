# verdict:
# failed = "forward wrong-value @F, gradient wrong-gradient @A x, double-backward wrong-second-order @A x"
# why = "four terms of the series"
import torch


def exp(x):
    return 1 + x + x**2 / 2 + x**3 / 6  # @F


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return grad_output * y  # @A
