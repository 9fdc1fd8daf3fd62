# verdict:
# gradient = "partial 20: wrong-shape @Y y"
# failed = "double-backward"
# why = "sums over everything; no second pass, for torch refuses the first"
import torch
from torch.autograd import Function


class Multiply(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return torch.mul(x, y)

    @staticmethod
    def backward(ctx, dz):
        x, y = ctx.saved_tensors
        dx = dz * y if ctx.needs_input_grad[0] else None
        dy = (dz * x).sum() if ctx.needs_input_grad[1] else None  # @Y
        return dx, dy
