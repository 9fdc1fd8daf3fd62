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
        s = w0 * x1
        s += w1 * x2
        y = s ** 2
        y /= x3
        s.mul_(2)
        s.div_(x3)
        dw0 = s * x1
        dw1 = s.clone()
        del s
        dw1 *= x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
