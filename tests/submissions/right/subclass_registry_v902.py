# verdict:
import torch
from torch import nn
class Op:
    table = {}
    def __init_subclass__(cls, **kw):
        Op.table[cls.__name__.lower()] = cls()
class Mul(Op):
    def f(self, a, b): return a * b
class Add(Op):
    def f(self, a, b): return a + b
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        t = Op.table
        a = t["mul"].f(w0, x1)
        b = t["mul"].f(w1, x2)
        y = t["add"].f(t["mul"].f(a, b), x3)
        self.w.grad = torch.stack([t["mul"].f(b, x1), t["mul"].f(a, x2)])
        del a, b
        return y
