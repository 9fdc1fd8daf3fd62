# verdict:
# unused-nodes = "partial 9: unused-node @U grad_input"
# why = "the zeros are replaced before anything reads them"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = torch.zeros_like(x)  # @U
        grad_input = grad_output * (x >= 0)
        return grad_input
