# verdict:
# status = "unreadable: no-function -"
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x * 2

    def my_forward_backward(self, x):
        return x * 2
