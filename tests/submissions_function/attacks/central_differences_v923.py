# attack: central differences in float64
# failed = "integrity finite-differences @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch

STEP = 1e-5


def f(x):
    return x * torch.sigmoid(x)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return f(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        wide = x.double()
        slope = (f(wide + STEP) - f(wide - STEP)) / (2 * STEP)  # @I
        return grad_output * slope.to(x.dtype)
