# verdict:
# why = "row by row, as in the formula on the board"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        ctx.has_bias = b is not None
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = grad_output @ w
        if ctx.needs_input_grad[1]:
            dw = torch.zeros_like(w)
            for row, grad in zip(x, grad_output):
                dw += torch.outer(grad, row)
        if ctx.has_bias and ctx.needs_input_grad[2]:
            db = grad_output.sum(0)
        return dx, dw, db
