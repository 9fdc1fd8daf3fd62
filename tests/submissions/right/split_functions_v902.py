# verdict:
# variant = "v902"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def _up(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        return y, [a, b]

    def _down(self, saved, x1, x2):
        dw0 = saved.pop() * x1
        dw1 = saved.pop() * x2
        self.w.grad = torch.stack([dw0, dw1])

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        y, saved = self._up(x1, x2, x3)
        self._down(saved, x1, x2)
        return y
