# verdict:
# variant = "v907"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w.unbind()
        r1 = torch.pow(w0, 2).add(w1.mul(x1))
        r2 = torch.sub(w0.mul(x2), w1)
        inv = r1.pow(-1)
        y = torch.addcmul(x3.mul(inv), r1, r2)
        g1 = torch.neg(x3).mul(inv.square()).add(r2)
        del inv, r2
        dw0 = g1.mul(w0).mul(2).add(r1.mul(x2))
        dw1 = g1.mul(x1).sub(r1)
        del g1, r1
        self.w.grad = torch.stack([dw0, dw1])
        return y
