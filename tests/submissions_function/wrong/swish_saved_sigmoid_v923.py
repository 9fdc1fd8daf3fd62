# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = "the sigmoid saved in forward has no graph: its part of the second derivative is lost"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, grad_output):
        x, s = ctx.saved_tensors
        return grad_output * (s + x * s * (1 - s))  # @A


x = torch.randn(5, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Swish.apply, x))
