# verdict:
# failed = "forward raises @F, gradient, needs-input-grad, unused-nodes, saved"
# why = "x @ w fits square weights only"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w + b  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        need_x, need_w, need_b = ctx.needs_input_grad
        return (
            grad_output @ w if need_x else None,
            grad_output.T @ x if need_w else None,
            grad_output.sum(0) if need_b else None,
        )
