# verdict:
import torch
import torch.nn.functional as F


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.where(x > 0, grad_output, ctx.slope * grad_output), None


x = torch.linspace(-2, 2, 5, requires_grad=True)
y = LeakyReLU.apply(x, 0.1)
y.sum().backward()
mine = x.grad.clone()
x.grad = None
F.leaky_relu(x, 0.1).sum().backward()
print(torch.allclose(mine, x.grad))
