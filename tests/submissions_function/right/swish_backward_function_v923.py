# verdict:
# class = "Swish"
# why = "the backward is a Function of its own, with its own backward"
import torch
from torch.autograd import Function


class SwishGrad(Function):
    """grad * f'(x); its backward is written by hand, too."""

    @staticmethod
    def forward(ctx, grad, x):
        ctx.save_for_backward(grad, x)
        s = torch.sigmoid(x)
        return grad * (s + x * s * (1 - s))

    @staticmethod
    def backward(ctx, gg):
        grad, x = ctx.saved_tensors
        s = torch.sigmoid(x)
        ds = s * (1 - s)
        by_grad = by_x = None
        if ctx.needs_input_grad[0]:
            by_grad = gg * (s + x * ds)
        if ctx.needs_input_grad[1]:
            by_x = gg * grad * ds * (2 + x * (1 - 2 * s))
        return by_grad, by_x


class Swish(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return SwishGrad.apply(grad, x)
