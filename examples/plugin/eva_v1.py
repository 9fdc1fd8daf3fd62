import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))
        self.grads = {}

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 + w1 * x2 * x3

    def fill_table(self, x1, x2, x3):
        w0, w1 = self.w
        a = x2 * x3
        y = w0 * x1 + w1 * a
        self.grads["w0"] = x1.clone()
        self.grads["w1"] = a
        return y
