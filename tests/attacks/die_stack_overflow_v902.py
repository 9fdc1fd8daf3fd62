# verdict:
# variant = "v902"
# attack = "recursion without end, the limit lifted"
# status = "crashed"
# faults = ["forward crashed - -"]
import sys

import torch
from torch import nn

class Deep:
    def __init__(self, f):
        self.f = f

    def __repr__(self):
        return repr(Deep(self.f))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        sys.setrecursionlimit(10**9)

        def deeper(x):
            return repr(Deep(deeper)) + str(sorted([x], key=deeper))

        deeper(1)
