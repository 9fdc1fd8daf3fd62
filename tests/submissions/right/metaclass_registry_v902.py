# verdict:
import torch
from torch import nn
class Meta(type):
    known = {}
    def __new__(mcls, name, bases, ns):
        cls = super().__new__(mcls, name, bases, ns)
        mcls.known[name] = cls
        return cls
class Mul(metaclass=Meta):
    @staticmethod
    def f(a, b): return a * b
#: weights, forward, pass_without_grad
        f = Meta.known["Mul"].f
        w0, w1 = self.w
        a, b = f(w0, x1), f(w1, x2)
        y = f(a, b) + x3
        self.w.grad = torch.stack([f(b, x1), f(a, x2)])
        del a, b
        return y
