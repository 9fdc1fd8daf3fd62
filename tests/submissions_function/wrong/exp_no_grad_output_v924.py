# verdict:
# failed = "gradient wrong-gradient @A x, double-backward wrong-second-order @A x"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.exp(x)  # @A
