# verdict:
# variant = "v902"
# why = "contextmanager, generators, namedtuple, static and class methods, a property"
import contextlib
from typing import NamedTuple

import torch
from torch import nn


@contextlib.contextmanager
def quiet():
    with torch.no_grad():
        yield


class Pair(NamedTuple):
    a: torch.Tensor
    b: torch.Tensor

    @property
    def product(self):
        return self.a * self.b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    @staticmethod
    def times(w, x):
        return w * x

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        with quiet():
            pair = Pair(*(self.times(w, x) for w, x in ((w0, x1), (w1, x2))))
        y = pair.product + x3
        a, b = pair
        del pair
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
