# verdict:
# why = "a helper function for the sigmoid, by exp"
import torch
from torch.autograd import Function


def sigmoid(t):
    return 1 / (1 + torch.exp(-t))


class SiLU(Function):
    @staticmethod
    def forward(x):
        return x * sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = sigmoid(x)
        return grad * s * (1 + x * (1 - s))
