# verdict:
# status = "unreadable: signature @F"
# why = "forward has no ctx, and there is no setup_context"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(x):  # @F
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x >= 0)
