# verdict:
import torch
from torch import nn
RULES = {}
def rule(name):
    def deco(f):
        RULES[name] = f
        return f
    return deco
@rule("mul")
def _(a, b):
    return a * b
@rule("add")
def _(a, b):
    return a + b
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a = RULES["mul"](w0, x1)
        b = RULES["mul"](w1, x2)
        y = RULES["add"](RULES["mul"](a, b), x3)
        self.w.grad = torch.stack([RULES["mul"](b, x1), RULES["mul"](a, x2)])
        del a, b
        return y
