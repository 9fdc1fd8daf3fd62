# verdict:
# failed = "saved saved-unread @S output"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        output = x.clamp(min=0)
        ctx.save_for_backward(x, output)  # @S
        return output

    @staticmethod
    def backward(ctx, grad_output):
        x, output = ctx.saved_tensors
        return grad_output * (x >= 0)
