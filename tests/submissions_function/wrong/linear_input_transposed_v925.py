# verdict:
# failed = "gradient raises @R, needs-input-grad, unused-nodes, saved"
# why = "the shapes do not fit, but for square weights"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_output @ w.T  # @R
        grad_w = grad_output.T @ x
        grad_b = grad_output.sum(0)
        return grad_x, grad_w, grad_b
