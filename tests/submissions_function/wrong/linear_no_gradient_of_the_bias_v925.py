# verdict:
# gradient = "partial 26.666667: no-gradient @P b"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):  # @P
        x, w = ctx.saved_tensors
        dx = grad_output @ w if ctx.needs_input_grad[0] else None
        dw = grad_output.T @ x if ctx.needs_input_grad[1] else None
        return dx, dw, None
