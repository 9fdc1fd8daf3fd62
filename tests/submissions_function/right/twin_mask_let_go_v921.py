# verdict:
# why = "what the global has in between is a shape"
import torch

shapes = []


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        shapes[:] = [mask.shape]
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask.reshape(grad_output.shape)
