# verdict:
# failed = "saved on-ctx @S x"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x  # @S
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (ctx.x >= 0)
