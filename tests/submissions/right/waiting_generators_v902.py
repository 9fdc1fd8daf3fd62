# verdict:
# variant = "v902"
# why = "Each op is a generator that waits for its adjoint."
import torch
from torch import nn


def product(a, b):
    g = yield a * b
    if a.requires_grad or b.requires_grad:
        yield g * b, None
    yield g * b, g * a


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1) * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        sa = product(w0, x1)
        a = next(sa)
        sb = product(w1, x2)
        b = next(sb)
        sp = product(a, b)
        a = b = None
        y = next(sp) + x3
        ga, gb = sp.send(torch.ones(()))
        sp = None
        dw0 = sa.send(ga)[0]
        sa = ga = None
        dw1 = sb.send(gb)[0]
        sb = gb = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
