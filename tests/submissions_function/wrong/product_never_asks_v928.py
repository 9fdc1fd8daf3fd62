# verdict:
# failed = "needs-input-grad unneeded-gradient @X x, needs-input-grad unneeded-gradient @Y y"
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        grad_x = grad_output * y  # @X
        grad_y = (grad_output * x).sum(0)  # @Y
        return grad_x, grad_y
