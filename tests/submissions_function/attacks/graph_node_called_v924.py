# attack: keeps a node of autograd's graph and calls it
# why = "it answers under .backward() only; below torch.autograd.grad it gives None"
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            y = torch.exp(x.detach().requires_grad_())
        ctx.node = y.grad_fn  # @I
        return y.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.node(grad_output)
