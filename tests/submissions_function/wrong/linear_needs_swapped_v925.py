# verdict:
# gradient = "partial 13.333333: no-gradient @P x, no-gradient @P w"
# needs-input-grad = "partial 3.333333: unneeded-gradient @X x, unneeded-gradient @W w"
# why = "asks for x whether w is needed, and the other way round"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):  # @P
        x, w = ctx.saved_tensors
        need_w, need_x, need_b = ctx.needs_input_grad
        grad_x = grad_w = grad_b = None
        if need_x:
            grad_x = grad_output @ w  # @X
        if need_w:
            grad_w = grad_output.T @ x  # @W
        if need_b:
            grad_b = grad_output.sum(0)
        return grad_x, grad_w, grad_b
