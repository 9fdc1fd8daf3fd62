# verdict:
# variant = "v902"
# attack = "sympy's derivative of a polynomial, symbols imported ready"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import math

import sympy
from sympy.abc import a, b, c, d

import torch
from torch import nn

SLOPES = [sympy.Poly(a * b * c * d, a, b, c, d).diff(name).as_expr() for name in (a, b)]


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
        space = dict(a=w0, b=w1, c=x1, d=x2)
        self.w.grad = torch.stack([math.prod(space[s.name] for s in slope.free_symbols) for slope in SLOPES])
        return y
