# verdict:
# failed = "gradient wrong-gradient @G x, saved kept @S ReLU.mask"
import torch


class ReLU(torch.autograd.Function):
    mask = None

    @staticmethod
    def forward(ctx, x):
        ReLU.mask = x >= 0  # @S
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ReLU.mask  # @G
