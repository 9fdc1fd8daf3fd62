# verdict:
# failed = "gradient wrong-gradient @X x, gradient wrong-gradient @Y y, double-backward wrong-second-order @X x, double-backward wrong-second-order @Y y"
# why = "each input's gradient has the input itself as its factor"
import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        grad_x = grad_y = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output * x  # @X
        if ctx.needs_input_grad[1]:
            grad_y = (grad_output * y).sum(0)  # @Y
        return grad_x, grad_y
