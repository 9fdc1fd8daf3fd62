# verdict:
# failed = "gradient wrong-gradient @G x, saved kept @S cache['mask']"
import torch

cache = {}


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        cache["mask"] = x >= 0  # @S
        return torch.clamp(x, min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * cache["mask"]  # @G
