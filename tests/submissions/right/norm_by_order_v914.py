# verdict:
import torch
from torch import nn


class BatchNorm(nn.Module):
    def __init__(self, features=4):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))
        self.shift = nn.Parameter(torch.zeros(features))
        self.factor = nn.Parameter(torch.rand(features))

    def normalize(self, x):
        z = x * self.factor
        spread = (z.var(0, correction=0) + 0.1).sqrt()
        return (z - z.mean(0)) / spread, spread

    def forward(self, x, y):
        normal, _ = self.normalize(x)
        return nn.functional.mse_loss(self.scale * normal + self.shift, y)

    def my_forward_backward(self, x, y):
        normal, spread = self.normalize(x)
        error = self.scale * normal + self.shift - y
        loss = error.pow(2).mean()
        error = error.mul(2 / error.numel())
        self.shift.grad = error.sum(0)
        self.scale.grad = error.mul(normal).sum(0)
        error = self.normalize_backward(error * self.scale, normal, spread)
        normal = spread = None
        self.factor.grad = error.mul(x).sum(0)
        return loss

    @staticmethod
    def normalize_backward(upstream, normal, spread):
        along = (upstream * normal).mean(0)
        return (upstream - upstream.mean(0) - normal * along) / spread
