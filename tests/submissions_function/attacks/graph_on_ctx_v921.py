# attack: keeps a graph of autograd on ctx, and walks it in backward
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.leaf = x.detach().requires_grad_()
            ctx.out = ctx.leaf.clamp(min=0)
        return ctx.out.detach()

    @staticmethod
    def backward(ctx, grad_output):
        ctx.out.backward(grad_output, retain_graph=True)  # @I
        grad, ctx.leaf.grad = ctx.leaf.grad, None
        return grad
