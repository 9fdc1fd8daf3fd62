# verdict:
# failed = "gradient wrong-gradient @G x, saved kept @S relu.mask"
# why = "the mask hangs on a helper function"
import torch


def relu(x):
    relu.mask = x >= 0  # @S
    return x * relu.mask


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return relu(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * relu.mask  # @G
