#= model
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))

    def forward(self, x, y):
        return torch.mean((x @ self.w + self.b - y) ** 2)
#= head
#: model

    def my_forward_backward(self, x, y):
