# verdict:
# unused-nodes = "partial 9: unused-node @U mask"
# why = "the mask is taken in forward and again in backward"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0  # @U
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        mask = x >= 0
        return grad_output * mask
