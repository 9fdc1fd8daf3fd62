# verdict:
# failed = "needs-input-grad unneeded-gradient @X x, needs-input-grad unneeded-gradient @W w, needs-input-grad unneeded-gradient @B b"
# why = "never asks what is needed"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_output @ w  # @X
        grad_w = grad_output.T @ x  # @W
        grad_b = grad_output.sum(0)  # @B
        return grad_x, grad_w, grad_b
