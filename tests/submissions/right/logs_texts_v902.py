# verdict:
# variant = "v902"
# why = "keeps a log of texts"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.log = []

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        self.log.append(f'c = {c}, {c.item():.3f}')
        c = None
        dw0 = b * x1
        self.log.append(f'b = {b}, {b.item():.3f}')
        b = None
        dw1 = a * x2
        self.log.append(f'a = {a}, {a.item():.3f}')
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
