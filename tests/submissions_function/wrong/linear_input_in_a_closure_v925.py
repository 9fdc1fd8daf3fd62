# verdict:
# failed = "saved kept @S x"
# why = "w is saved, and x comes to backward in the closure of a function"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):  # @S
        ctx.slope_of_w = lambda g: g.T @ x
        ctx.save_for_backward(w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        dx = g @ w if ctx.needs_input_grad[0] else None
        dw = ctx.slope_of_w(g) if ctx.needs_input_grad[1] else None
        db = g.sum(0) if ctx.needs_input_grad[2] else None
        return dx, dw, db
