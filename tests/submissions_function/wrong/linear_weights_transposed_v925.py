# verdict:
# gradient = "partial 26.666667: wrong-shape @W w"
# why = "torch's engine refuses the gradient of w: d by c, not c by d"
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
            dw = x.t() @ grad_output  # @W
        if ctx.needs_input_grad[2]:
            db = grad_output.sum(0)
        return dx, dw, db
