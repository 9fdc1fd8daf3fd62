# verdict:
# unused-nodes = "partial 9: unused-node @U y"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        s = torch.sigmoid(x)
        y = x * s  # @U
        return grad_output * (s + x * s * (1 - s))
