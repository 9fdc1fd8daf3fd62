# verdict:
# gradient = "partial 13.333333: wrong-gradient @W w, wrong-gradient @B b"
# why = "divides by the number of rows, which the loss does already"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        n = max(len(x), 1)
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = grad_output @ w
        if ctx.needs_input_grad[1]:
            dw = grad_output.T @ x / n  # @W
        if ctx.needs_input_grad[2]:
            db = grad_output.sum(0) / n  # @B
        return dx, dw, db
