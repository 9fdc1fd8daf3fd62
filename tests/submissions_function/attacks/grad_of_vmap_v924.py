# attack: torch.func.grad under vmap
# failed = "integrity transform @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch
from torch.func import grad, vmap


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        slope = vmap(grad(torch.exp))(x.reshape(-1)).reshape(x.shape)  # @I
        return grad_output * slope
