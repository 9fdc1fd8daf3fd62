# verdict:
# why = "the derivative of the sign, a half where x is 0, is between those of the sides"
import torch


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x + x.abs()) / 2

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (1 + torch.sign(x)) / 2
