# attack: apply is torch's own clamp, so that neither forward nor backward is ever called
# failed = "gradient wrong-gradient @A x, needs-input-grad, unused-nodes, saved"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):  # @A
        return grad_output

    @staticmethod
    def apply(x):
        return torch.clamp(x, min=0)
