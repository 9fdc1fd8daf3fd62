# verdict:
# why = "a second Function is the derivative, with a backward of its own"
import torch


class SwishBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, x):
        ctx.save_for_backward(grad_output, x)
        s = torch.sigmoid(x)
        return grad_output * s * (1 + x * (1 - s))

    @staticmethod
    def backward(ctx, gg):
        grad_output, x = ctx.saved_tensors
        s = torch.sigmoid(x)
        first = s * (1 + x * (1 - s))
        second = s * (1 - s) * (2 + x * (1 - 2 * s))
        return gg * first, gg * grad_output * second


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return SwishBackward.apply(grad_output, x)
