# verdict:
# variant = "v902"
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
        self.a = w0 * x1
        self.b = w1 * x2
        y = self.a * self.b + x3
        dw0 = self.b * x1
        del self.b
        dw1 = self.a * x2
        self.a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
