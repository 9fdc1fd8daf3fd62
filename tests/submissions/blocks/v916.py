#= model
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(12, 10))
        self.b = nn.Parameter(torch.zeros(10))

    def forward(self, x, y):
        return F.cross_entropy(x @ self.w + self.b, y)
#= head
#: model

    def my_forward_backward(self, x, y):
