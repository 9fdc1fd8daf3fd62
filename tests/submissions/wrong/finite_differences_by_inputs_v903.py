# verdict:
# variant = "v903"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences @I -"]
# why = "exact, and the step is an input"
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

        def function(w0, w1):
            s = w0 * x1 + w1 * x2
            return s ** 2 / x3

        y = function(w0, w1)
        dw0 = (function(w0 + x1, w1) - function(w0 - x1, w1)) / (2 * x1)  # @I
        dw1 = (function(w0, w1 + x1) - function(w0, w1 - x1)) / (2 * x1)
        self.w.grad = torch.stack([dw0, dw1])
        return y
