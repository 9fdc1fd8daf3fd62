# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = "the second Function asks needs_input_grad of grad_output for the gradient of x: where grad_output is a constant there is none"
import torch


class SwishBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, x):
        ctx.save_for_backward(grad_output, x)
        s = torch.sigmoid(x)
        return grad_output * s * (1 + x * (1 - s))  # @A

    @staticmethod
    def backward(ctx, gg):
        grad_output, x = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
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
