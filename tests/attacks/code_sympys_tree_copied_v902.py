# verdict:
# variant = "v902"
# attack = "the tree of sympy's derivative, copied into a tree of its own at load"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import math

import sympy

import torch
from torch import nn

NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
SLOPES = [sorted(part.name for part in sympy.diff(Y, NAMES[n]).args) for n in (0, 1)]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in SLOPES])
        return y
