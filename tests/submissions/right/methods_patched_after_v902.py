# verdict:
# variant = "v902"
import torch
from torch import nn
class Var:
    pass
def var_init(self, v): self.v = v
def var_mul(self, o): return Var(self.v * o.v)
Var.__init__ = var_init
Var.__mul__ = var_mul
setattr(Var, "__add__", lambda self, o: Var(self.v + o.v))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = map(Var, self.w)
        x1, x2, x3 = map(Var, (x1, x2, x3))
        a, b = w0 * x1, w1 * x2
        y = (a * b + x3).v
        self.w.grad = torch.stack([(b * x1).v, (a * x2).v])
        return y
