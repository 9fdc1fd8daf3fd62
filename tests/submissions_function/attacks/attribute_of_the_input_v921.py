# attack: keeps the mask as an attribute of the input
# failed = "saved kept @S x.mask, saved saved-unread @U x"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mask = x >= 0  # @S
        ctx.save_for_backward(x)  # @U
        return x * x.mask

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * x.mask
