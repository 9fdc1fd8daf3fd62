# verdict:
# failed = "needs-input-grad unneeded-gradient @X, needs-input-grad unneeded-gradient @W, needs-input-grad unneeded-gradient @B"
# why = "returns None, but only after the work is done"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grads = [
            grad_output @ w,  # @X
            grad_output.T @ x,  # @W
            grad_output.sum(0),  # @B
        ]
        return tuple(g if need else None for g, need in zip(grads, ctx.needs_input_grad))
