import torch

torch.set_grad_enabled(False)


class TanhFunction(torch.autograd.Function):
    """ to compare with, not called """

    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y)


def tanh_forward(x):
    with torch.set_grad_enabled(False):
        # 2 sigmoid(2 x) - 1
        y = 2 * torch.sigmoid(2 * x) - 1
    return y, y


def tanh_backward(dout, cache):
    return torch.addcmul(dout, dout, cache.square(), value=-1)


if torch.is_grad_enabled():
    x = torch.randn(3, 4, requires_grad=True)
    TanhFunction.apply(x).sum().backward()
    print(x.grad)
