# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = ".data cuts the graph"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return grad_output * y.data  # @A
