# verdict:
# variant = "v902"
# why = "honest beside attacks by dtypes: in double precision, and back"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w.double()
        a = w0 * x1.double()
        b = w1 * x2.double()
        y = (a * b + x3.double()).float()
        dw0 = b * x1.double()
        del b
        dw1 = a * x2.to(torch.float64)
        del a
        self.w.grad = torch.stack([dw0, dw1]).to(torch.float32)
        return y
