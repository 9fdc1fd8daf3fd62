# verdict:
# failed = "gradient wrong-gradient @A x"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.slope = slope
        ctx.save_for_backward(x > 0)
        return x.clamp(min=0) + slope * x.clamp(max=0)

    @staticmethod
    def backward(ctx, grad_output):
        positive, = ctx.saved_tensors
        return torch.where(positive, grad_output, -ctx.slope * grad_output), None  # @A
