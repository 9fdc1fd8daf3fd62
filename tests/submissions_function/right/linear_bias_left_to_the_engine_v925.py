# verdict:
# why = "the gradient of b has the output's shape: torch's engine sums it"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = grad_output @ w
        if ctx.needs_input_grad[1]:
            dw = grad_output.T @ x
        if ctx.needs_input_grad[2]:
            db = grad_output.clone()
        return dx, dw, db
