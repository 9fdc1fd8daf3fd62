# verdict:
# variant = "v903"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        return s ** 2 / x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = torch.unbind(self.w)
        s = torch.add(torch.mul(w0, x1), torch.mul(w1, x2))
        inverse = torch.reciprocal(x3)
        y = torch.mul(torch.square(s), inverse)
        g = torch.mul(torch.mul(s, 2.0), inverse)
        del s, inverse
        dw0 = torch.mul(g, x1)
        dw1 = torch.mul(g, x2)
        del g
        self.w.grad = torch.stack((dw0, dw1), dim=0)
        return y
