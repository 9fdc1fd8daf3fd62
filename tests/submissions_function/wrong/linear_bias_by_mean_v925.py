# verdict:
# gradient = "partial 26.666667: wrong-gradient @B b"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.t() + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = grad_output @ w
        if ctx.needs_input_grad[1]:
            dw = grad_output.t() @ x
        if ctx.needs_input_grad[2]:
            db = grad_output.mean(0)  # @B
        return dx, dw, db
