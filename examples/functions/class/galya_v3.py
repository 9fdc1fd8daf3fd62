import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        y = x * s
        ctx.save_for_backward(s, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        s, y = ctx.saved_tensors
        return grad_output * (s + y * (1 - s))


def swish(x):
    return Swish.apply(x)


x = torch.randn(4, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(swish, x))
