# verdict:
# gradient = "partial 20: wrong-gradient @Y y"
# double-backward = "partial 10: wrong-second-order @Y y"
# why = "takes x from the product by a division: 0 / 0 where y is 0"
import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        z = x * y
        ctx.save_for_backward(z, y)
        return z

    @staticmethod
    def backward(ctx, grad_output):
        z, y = ctx.saved_tensors
        grad_x = grad_y = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output * y
        if ctx.needs_input_grad[1]:
            grad_y = (grad_output * z / y).sum(0)  # @Y
        return grad_x, grad_y
