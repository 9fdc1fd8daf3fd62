# verdict:
# gradient = "partial 26.666667: wrong-shape @W w"
# why = "torch refuses the gradient of w, which has the shape of w.T; that of b is left to the engine to sum, and right"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = g @ w
        if ctx.needs_input_grad[1]:
            dw = x.T @ g  # @W
        if ctx.needs_input_grad[2]:
            db = g
        return dx, dw, db
