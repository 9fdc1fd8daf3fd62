# verdict:
# failed = "forward wrong-value @F"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.slope = slope
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, 0)  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.where(x > 0, grad_output, ctx.slope * grad_output), None
