# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = "the derivative is taken in forward, where nothing is recorded"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        derivative = s + x * s * (1 - s)
        ctx.save_for_backward(derivative)
        return x * s

    @staticmethod
    def backward(ctx, grad_output):
        derivative, = ctx.saved_tensors
        return grad_output * derivative  # @A
