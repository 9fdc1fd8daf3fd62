# verdict:
# why = "calls the same function at x and -x, for sigmoid(-x) is 1 - sigmoid(x)"
import torch


def f(x):
    return torch.sigmoid(x)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * f(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        up, down = f(x), f(-x)
        return grad_output * (up + x * up * down)
