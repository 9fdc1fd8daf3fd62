# verdict:
# variant = "v902"
# attack = "keeps memoryviews of copies in the names of another module"
# release = "partial 14"
# faults = ["release hidden-values @A c"]
import colorsys

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
        c = a * b
        y = c + x3
        vars(colorsys)["c"] = memoryview(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        vars(colorsys)["b"] = memoryview(b.numpy().copy())
        b = None
        dw1 = a * x2
        vars(colorsys)["a"] = memoryview(a.numpy().copy())
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
