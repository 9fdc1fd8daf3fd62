# attack: a step along the imaginary axis
# failed = "integrity complex @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch

STEP = 1e-20


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad_output):  # @I
        x, = ctx.saved_tensors
        moved = torch.complex(x, torch.full_like(x, STEP))
        return grad_output * torch.exp(moved).imag / STEP
