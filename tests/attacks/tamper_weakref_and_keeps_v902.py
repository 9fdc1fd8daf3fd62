# verdict:
# variant = "v902"
# attack = "weak references that say all is dead, and values that are kept"
# release = "partial 14"
# faults = ["release late-release - -"]
import sys
import weakref

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
        weakref.ref = lambda *a: lambda: None
        sys.modules["_weakref"].ref = weakref.ref
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        dw0 = b * x1
        dw1 = a * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
