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
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        y = s.square() / x3
        dy = torch.ones_like(y)
        ds = dy / x3 * 2 * s
        dy = s = None
        dw0 = ds * x1
        dw1 = ds * x2
        ds = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
