# verdict:
# why = "torch allows Nones behind the gradients of the inputs"
import torch


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.clamp(x, 0)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return g * (x >= 0).to(g.dtype), None, None
