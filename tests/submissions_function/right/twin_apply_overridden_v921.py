# verdict:
# why = "a method that calls apply, beside it"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output.masked_fill(x < 0, 0)

    @classmethod
    def call(cls, x):
        return cls.apply(x)
