# verdict:
# variant = "v902"
# attack = "differences between two numbers typed in for a weight"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences - -"]
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
        def f(w0, w1):
            return w0 * x1 * (w1 * x2) + x3

        w0, w1 = self.w
        y = f(w0, w1)
        dw0 = (f(1000.0, w1) - f(-1000.0, w1)) / 2000.0
        dw1 = (f(w0, 1000.0) - f(w0, -1000.0)) / 2000.0
        self.w.grad = torch.stack([dw0, dw1])
        return y
