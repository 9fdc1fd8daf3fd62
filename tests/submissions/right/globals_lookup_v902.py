# verdict:
import torch
from torch import nn
def op_mul(a, b): return a * b
def op_add(a, b): return a + b
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        mul, add = globals()["op_mul"], globals()["op_add"]
        a, b = mul(w0, x1), mul(w1, x2)
        y = add(mul(a, b), x3)
        self.w.grad = torch.stack([mul(b, x1), mul(a, x2)])
        del a, b
        return y
