# verdict:
# variant = "v903"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences @I -"]
# why = "the step is along a direction"
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
        w = self.w.detach().double()

        def function(w):
            s = w[0] * x1.double() + w[1] * x2.double()
            return s ** 2 / x3.double()

        y = function(w).float()
        h = 1e-4
        grads = []
        for e in torch.eye(2):
            moved = w + h * e
            grads.append((function(moved) - function(w - h * e)) / (2 * h))  # @I
            del moved, e
        self.w.grad = torch.stack(grads).float()
        return y
