#= model
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(2, 3))
        self.b1 = nn.Parameter(torch.zeros(3))
        self.w2 = nn.Parameter(torch.randn(3, 2))
        self.b2 = nn.Parameter(torch.zeros(2))

    def forward(self, x, y):
        h = torch.relu(x @ self.w1 + self.b1)
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]
#= head
#: model

    def my_forward_backward(self, x, y):
