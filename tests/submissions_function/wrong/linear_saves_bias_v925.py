# verdict:
# failed = "saved saved-unread @S b"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w, b)  # @S
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w, b = ctx.saved_tensors
        dx = grad_output @ w if ctx.needs_input_grad[0] else None
        dw = grad_output.T @ x if ctx.needs_input_grad[1] else None
        db = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return dx, dw, db
