# verdict:
# variant = "v903"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        return s ** 2 / x3

    def my_forward_backward(self, x1, x2, x3):
        x = torch.stack([x1, x2])
        s = self.w @ x
        y = s ** 2 / x3
        g = 2 * s / x3
        del s
        self.w.grad = g * x
        return y
