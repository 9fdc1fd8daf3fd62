# verdict:
# variant = "v903"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences @I -"]
# why = "exact, and the weights are moved where they are"
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
        w = self.w.detach().clone()

        def function():
            s = w[0] * x1 + w[1] * x2
            return s ** 2 / x3

        y = function()
        grads = []
        for i in range(2):
            w[i] += 0.25  # @I
            after = function()
            w[i] -= 0.5
            before = function()
            w[i] += 0.25
            grads.append((after - before) / 0.5)
            del after, before
        self.w.grad = torch.stack(grads)
        del w
        return y
