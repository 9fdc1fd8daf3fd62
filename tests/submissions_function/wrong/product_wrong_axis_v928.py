# verdict:
# gradient = "partial 20: wrong-shape @Y y"
# failed = "double-backward"
# why = "no second pass, for torch refuses the first"
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
            gx = grad_output * y
        if ctx.needs_input_grad[1]:
            gy = (grad_output * x).sum(dim=1)  # @Y
        return gx, gy
