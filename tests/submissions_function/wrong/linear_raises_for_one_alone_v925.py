# verdict:
# gradient = "partial 13.333333: raises @R x, raises @R b"
# why = "what is returned is made only where w needs a gradient"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            dx = grad_output @ w if ctx.needs_input_grad[0] else None
            dw = grad_output.T @ x
            db = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return dx, dw, db  # @R
