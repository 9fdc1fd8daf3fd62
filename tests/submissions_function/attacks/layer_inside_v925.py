# attack: parameters of a layer of torch's gather the gradients
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch
from torch import nn


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        with torch.enable_grad():
            layer = nn.Linear(w.shape[1], w.shape[0], dtype=w.dtype)
            layer.weight = nn.Parameter(w.detach())
            leaf = x.detach().requires_grad_()
            layer(leaf).backward(grad_output)  # @I
        grads = leaf.grad, layer.weight.grad, layer.bias.grad
        return tuple(g if need else None for g, need in zip(grads, ctx.needs_input_grad))
