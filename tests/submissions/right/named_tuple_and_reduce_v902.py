# verdict:
# variant = "v902"
import operator
from functools import reduce
from typing import NamedTuple
import torch
from torch import nn


class Grads(NamedTuple):
    w0: torch.Tensor
    w1: torch.Tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1) * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        p = a * b
        y = p + x3
        p = None

        g = Grads(reduce(operator.mul, [b, x1]), reduce(operator.mul, [a, x2]))
        a = b = None
        self.w.grad = torch.stack(list(g))
        return y
