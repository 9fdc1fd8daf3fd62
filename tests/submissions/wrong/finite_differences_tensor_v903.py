# verdict:
# variant = "v903"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences @I -"]
# why = "the step is a tensor"
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
        w0, w1 = self.w.detach().double()
        h = torch.tensor(1e-5, dtype=torch.float64)

        def function(w0, w1):
            s = w0 * x1.double() + w1 * x2.double()
            return s ** 2 / x3.double()

        y = function(w0, w1).float()
        dw0 = (function(w0 + h, w1) - function(w0 - h, w1)) / (2 * h)  # @I
        dw1 = (function(w0, w1 + h) - function(w0, w1 - h)) / (2 * h)
        del h
        self.w.grad = torch.stack([dw0, dw1]).float()
        return y
