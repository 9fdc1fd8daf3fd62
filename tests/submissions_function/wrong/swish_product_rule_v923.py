# verdict:
# failed = "gradient wrong-gradient @A x, double-backward wrong-second-order @A x"
# why = "one term of the product rule is missing"
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
        return grad_output * x * s * (1 - s)  # @A
