# verdict:
# why = "saves a factor where the other needs a gradient, which holds at second order, too"
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        needs_x, needs_y = ctx.needs_input_grad
        ctx.save_for_backward(x if needs_y else None, y if needs_x else None)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return (
            grad_output * y if ctx.needs_input_grad[0] else None,
            (grad_output * x).sum(0) if ctx.needs_input_grad[1] else None,
        )
