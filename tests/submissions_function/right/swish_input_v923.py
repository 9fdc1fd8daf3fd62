# verdict:
# why = "saves the input and takes the sigmoid anew, so that backward can be differentiated"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad_output * (s + x * s * (1 - s))


x = torch.randn(5, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Swish.apply, x)
assert torch.autograd.gradgradcheck(Swish.apply, x)
