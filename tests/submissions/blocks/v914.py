#= model
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
        normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
        return ((self.gamma * normal + self.beta - y) ** 2).mean()
#= head
#: model

    def my_forward_backward(self, x, y):
