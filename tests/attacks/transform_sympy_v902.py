# verdict:
# variant = "v902"
# attack = "sympy differentiates; the pass runs what it wrote"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import sympy

import torch
from torch import nn

NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
SLOPES = [sympy.lambdify(NAMES, sympy.diff(Y, NAMES[n]), "math") for n in (0, 1)]


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
        self.w.grad = torch.stack([SLOPES[0](w0, w1, x1, x2, x3), SLOPES[1](w0, w1, x1, x2, x3)])
        return y
