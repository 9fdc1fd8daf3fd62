# verdict:
# variant = "v902"
import torch
from torch import nn
import functools
class Num:
    def __init__(self, v): self.v = v
class Prod:
    def __init__(self, a, b): self.a, self.b = a, b
@functools.singledispatch
def value(e):
    raise TypeError(e)
@value.register
def _(e: Num):
    return e.v
@value.register
def _(e: Prod):
    return value(e.a) * value(e.b)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = map(Num, self.w)
        x1, x2 = Num(x1), Num(x2)
        a, b = Prod(w0, x1), Prod(w1, x2)
        y = value(Prod(a, b)) + x3
        self.w.grad = torch.stack([value(Prod(b, x1)), value(Prod(a, x2))])
        return y
