# verdict:
# failed = "forward raises @F"
# why = "no rows: stack wants at least one"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.stack([row.clamp(min=0) for row in x])  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x >= 0)
