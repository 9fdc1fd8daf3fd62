# verdict:
# variant = "v902"
# attack = "keeps every value in an array.array on self"
# release = "partial 14"
# faults = ["release hidden-values @A c"]
import array

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.held = array.array("f")

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        self.held.frombytes(c.numpy().tobytes())  # @A
        c = None
        dw0 = b * x1
        self.held.frombytes(b.numpy().tobytes())
        b = None
        dw1 = a * x2
        self.held.frombytes(a.numpy().tobytes())
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
