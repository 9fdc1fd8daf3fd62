# verdict:
# needs-input-grad = "partial 6.666667: unneeded-gradient @B b"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x.mm(w.t()) + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_w = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output.mm(w)
        if ctx.needs_input_grad[1]:
            grad_w = grad_output.t().mm(x)
        grad_b = grad_output.sum(0)  # @B
        return grad_x, grad_w, grad_b
