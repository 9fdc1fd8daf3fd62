# attack: replaces torch.autograd.grad by one that agrees with the wrong backward
# failed = "gradient wrong-gradient @A x, double-backward wrong-second-order @A x, needs-input-grad, unused-nodes, saved"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        torch.autograd.grad = lambda outputs, inputs, *rest, **options: tuple(
            torch.ones_like(t) for t in inputs
        )
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.ones_like(x)  # @A
