# verdict:
# why = "class methods, which torch takes too, and a helper among them"
import torch


class Hinge(torch.autograd.Function):
    THRESHOLD = 0

    @classmethod
    def above(cls, x):
        return x >= cls.THRESHOLD

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x * cls.above(x)

    @classmethod
    def backward(cls, ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * cls.above(x)
