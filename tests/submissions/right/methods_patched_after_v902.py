# verdict:
import torch
from torch import nn
class Var:
    pass
def var_init(self, v): self.v = v
def var_mul(self, o): return Var(self.v * o.v)
Var.__init__ = var_init
Var.__mul__ = var_mul
setattr(Var, "__add__", lambda self, o: Var(self.v + o.v))
#: weights, forward, pass_without_grad
        w0, w1 = map(Var, self.w)
        x1, x2, x3 = map(Var, (x1, x2, x3))
        a, b = w0 * x1, w1 * x2
        y = (a * b + x3).v
        self.w.grad = torch.stack([(b * x1).v, (a * x2).v])
        return y
