# verdict:
# variant = "v902"
# why = "wraps, partial, reduce, cached properties: Python's library between the op and its line"
import functools
import operator

import torch
from torch import nn


def told(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@told
def times(*factors):
    return functools.reduce(lambda a, b: a * b, factors)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = times(w0, x1)
        b = times(w1, x2)
        y = functools.reduce(operator.add, [times(a, b), x3])
        dw0, = map(functools.partial(operator.mul, x1), [b])
        del b
        dw1 = max([a], key=lambda t: 0) * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
