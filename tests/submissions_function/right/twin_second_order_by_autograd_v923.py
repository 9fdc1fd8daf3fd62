# verdict:
# why = "autograd is asked in the tests below the class"
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


x = torch.randn(3, dtype=torch.float64, requires_grad=True)
first, = torch.autograd.grad(Swish.apply(x).sum(), x, create_graph=True)
second, = torch.autograd.grad(first.sum(), x)
again, = torch.autograd.grad((x * torch.sigmoid(x)).sum(), x, create_graph=True)
print(torch.allclose(first, again), torch.allclose(second, torch.autograd.grad(again.sum(), x)[0]))
