# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "the derivative of ReLU without a leak"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x > 0), None  # @A
