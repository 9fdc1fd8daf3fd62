# verdict:
# why = "the gradient of y still has x's shape: torch's engine sums it"
import torch
from torch.autograd import Function


class Multiply(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        dx = grad * y if ctx.needs_input_grad[0] else None
        dy = grad * x if ctx.needs_input_grad[1] else None
        return dx, dy
