# verdict:
# why = "a module around it"
import torch
from torch import nn


class LeakyReLUFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, negative_slope):
        ctx.save_for_backward(x)
        ctx.negative_slope = negative_slope
        return torch.where(x > 0, x, negative_slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_input = torch.where(x > 0, grad_output, ctx.negative_slope * grad_output)
        return grad_input, None


class LeakyReLU(nn.Module):
    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x):
        return LeakyReLUFunction.apply(x, self.negative_slope)


net = nn.Sequential(nn.Linear(4, 8), LeakyReLU(0.2), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(16, 4)).pow(2).mean().backward()
    optimizer.step()
