# verdict:
# double-backward = "partial 10: wrong-second-order @X x"
# why = "y is detached in one of two gradients"
import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        gx = gy = None
        if ctx.needs_input_grad[0]:
            gx = grad_output * y.detach()  # @X
        if ctx.needs_input_grad[1]:
            gy = (grad_output * x).sum(0)
        return gx, gy
