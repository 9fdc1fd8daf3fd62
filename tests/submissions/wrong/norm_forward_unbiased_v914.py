# verdict:
# failed = "forward wrong-value 14"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(3))
        self.beta = nn.Parameter(torch.zeros(3))
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x, y):
        z = x * self.w
        normal = (z - z.mean(0)) / torch.sqrt(z.var(0) + 0.1)
        return ((self.gamma * normal + self.beta - y) ** 2).mean()

    def my_forward_backward(self, x, y):
        z = x * self.w
        centred = z - z.mean(0)
        z = None
        inv = 1 / torch.sqrt((centred**2).mean(0) + 0.1)
        normal = centred * inv
        centred = None
        off = self.gamma * normal + self.beta - y
        loss = (off**2).mean()
        g = off * (2 / off.numel())
        off = None
        self.beta.grad = g.sum(0)
        self.gamma.grad = (g * normal).sum(0)
        g = g * self.gamma
        g = (g - g.mean(0) - normal * (g * normal).mean(0)) * inv
        normal = inv = None
        self.w.grad = (g * x).sum(0)
        return loss
