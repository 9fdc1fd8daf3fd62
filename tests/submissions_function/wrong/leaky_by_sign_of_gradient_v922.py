# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "asks the sign of grad_output, not that of x"
import torch
import torch.nn.functional as F


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.slope = slope
        return F.leaky_relu(x, slope)

    @staticmethod
    def backward(ctx, grad_output):
        return F.leaky_relu(grad_output, ctx.slope), None  # @A
