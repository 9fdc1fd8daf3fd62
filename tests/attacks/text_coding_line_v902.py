# -*- coding: utf-7 -*-
# attack: an encoding that hides code
# status = "unreadable: bad-encoding"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
