# verdict:
# status = "unreadable: syntax-error @S"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x)  # @S
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x >= 0)
