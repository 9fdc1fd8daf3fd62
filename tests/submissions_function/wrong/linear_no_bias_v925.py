# verdict:
# failed = "forward wrong-value @F"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x.mm(w.t())  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_output.mm(w) if ctx.needs_input_grad[0] else None
        grad_w = grad_output.t().mm(x) if ctx.needs_input_grad[1] else None
        grad_b = grad_output.sum(0) if ctx.needs_input_grad[2] else None
        return grad_x, grad_w, grad_b
