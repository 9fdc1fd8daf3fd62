# verdict:
# variant = "v903"
import torch
from torch import nn

POWER = 2
TWO = torch.tensor(2.0)


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
        y = s ** POWER / x3
        g = TWO * s / x3
        del s
        dw0 = g * x1
        dw1 = g * x2
        del g
        self.w.grad = torch.stack([dw0, dw1])
        return y
