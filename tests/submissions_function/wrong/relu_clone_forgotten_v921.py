# verdict:
# unused-nodes = "partial 9: unused-node @U grad_input"
# why = "the clone is made, then replaced"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = grad_output.clone()  # @U
        grad_input = torch.where(x < 0, 0, grad_output)
        return grad_input
