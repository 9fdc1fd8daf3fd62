# verdict:
# why = "a small step that is undone by a product, along the real axis"
import torch


class Exp(torch.autograd.Function):
    SCALE = 1e-3

    @staticmethod
    def forward(ctx, x):
        small = torch.full_like(x, Exp.SCALE)
        y = torch.exp(x - small) * torch.exp(small)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return grad_output * y
