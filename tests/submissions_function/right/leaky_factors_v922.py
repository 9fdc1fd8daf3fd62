# verdict:
# why = "saves the derivative itself"
import torch


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        factor = torch.ones_like(x)
        factor[x <= 0] = slope
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        factor, = ctx.saved_tensors
        return grad_output * factor, None
