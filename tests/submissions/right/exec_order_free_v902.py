# verdict:
# variant = "v902"
# why = "forward and backward may interleave"
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
        b = w1 * x2
        dw0 = b * x1
        a = w0 * x1
        y = b * a
        b = None
        dw1 = x2 * a
        a = None
        y = y + x3
        self.w.grad = torch.stack([dw0, dw1])
        return y
