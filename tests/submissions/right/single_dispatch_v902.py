# verdict:
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
#: weights, forward, pass_without_grad
        w0, w1 = map(Num, self.w)
        x1, x2 = Num(x1), Num(x2)
        a, b = Prod(w0, x1), Prod(w1, x2)
        y = value(Prod(a, b)) + x3
        self.w.grad = torch.stack([value(Prod(b, x1)), value(Prod(a, x2))])
        return y
