# verdict:
# variant = "v902"
# attack = "central differences in float64"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences - -"]
import torch
from torch import nn

def variant(w0, w1, x1, x2, x3):
    return w0 * x1 * (w1 * x2) + x3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)
        a, b, h = w0.double(), w1.double(), 1e-6
        s0 = (variant(a + h, b, x1, x2, x3) - variant(a - h, b, x1, x2, x3)) / (2 * h)
        s1 = (variant(a, b + h, x1, x2, x3) - variant(a, b - h, x1, x2, x3)) / (2 * h)
        self.w.grad = torch.stack([s0, s1]).float()
        return y
