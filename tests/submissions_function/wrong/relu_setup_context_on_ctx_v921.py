# verdict:
# failed = "saved on-ctx @S x"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.clamp(min=0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.x, = inputs  # @S

    @staticmethod
    def backward(ctx, grad_output):
        return torch.where(ctx.x >= 0, grad_output, 0)
