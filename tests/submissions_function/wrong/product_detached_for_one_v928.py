# verdict:
# failed = "double-backward wrong-second-order @A x, double-backward wrong-second-order @A y"
# why = "grad_output is detached where one input alone needs a gradient"
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        gx = gy = None
        if all(ctx.needs_input_grad):
            return grad_output * y, (grad_output * x).sum(0)  # @A
        if ctx.needs_input_grad[0]:
            gx = grad_output.detach() * y
        if ctx.needs_input_grad[1]:
            gy = (grad_output.detach() * x).sum(0)
        return gx, gy
