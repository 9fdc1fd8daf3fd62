# verdict:
# variant = "v902"
# attack = "a factor of 2 ** 61, which is 1 modulo the prime of exact arithmetic"
# manual-forward = "failed 0"
# gradient = "failed 0"
# faults = ["manual-forward wrong-value - -", "gradient wrong-gradient - -", "gradient wrong-gradient - -"]
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
        a = w0 * x1
        b = w1 * x2
        y = (a * b + x3) * 2.0**61
        dw0 = b * x1 * 2.0**61
        del b
        dw1 = a * x2 * 2.0**-61
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
