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
        values = [w0 * x1, w1 * x2]
        y = values[0] * values[1] + x3
        dw0 = values[1] * x1
        values.pop()
        dw1 = values[0] * x2
        values.clear()
        self.w.grad = torch.stack([dw0, dw1])
        return y
