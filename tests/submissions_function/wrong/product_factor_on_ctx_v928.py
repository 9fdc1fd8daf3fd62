# verdict:
# failed = "saved on-ctx @S y"
# double-backward = "partial 10: wrong-second-order @X x"
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.y = y.detach()  # @S
        ctx.save_for_backward(x)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_x = grad_y = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output * ctx.y  # @X
        if ctx.needs_input_grad[1]:
            grad_y = (grad_output * x).sum(0)
        return grad_x, grad_y
