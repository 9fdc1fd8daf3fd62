# verdict:
import torch
from torch import nn
class Var:
    def __init__(self, v): self.v = v
def _add(self, o): return Var(self.v + o.v)
for _n, _f in {"__add__": _add, "__mul__": lambda s, o: Var(s.v * o.v)}.items():
    setattr(Var, _n, _f)
#: weights, forward, pass_without_grad
        w0, w1 = map(Var, self.w)
        x1, x2, x3 = map(Var, (x1, x2, x3))
        a, b = w0 * x1, w1 * x2
        y = (a * b + x3).v
        self.w.grad = torch.stack([(b * x1).v, (a * x2).v])
        return y
