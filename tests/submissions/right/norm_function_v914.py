# verdict:
import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d))
        self.beta = nn.Parameter(torch.zeros(d))
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x, y):
        z = x * self.w
        normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
        return ((self.gamma * normal + self.beta - y) ** 2).mean()

    def my_forward_backward(self, x, y):
        z = x * self.w
        n = torch.nn.functional.batch_norm(z, None, None, training=True, eps=0.1)
        s = (z.var(0, unbiased=False) + 0.1).sqrt()
        z = None
        r = n * self.gamma + self.beta - y
        loss = r.pow(2).mean()
        g = 2 * r / r.numel()
        r = None
        self.beta.grad, self.gamma.grad = g.sum(0), (g * n).sum(0)
        g = g * self.gamma / s
        s = None
        g = g - g.mean(0) - n * (g * n).mean(0)
        n = None
        self.w.grad = (g * x).sum(0)
        return loss
