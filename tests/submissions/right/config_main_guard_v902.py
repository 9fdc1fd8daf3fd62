# verdict:
# variant = "v902"
import torch
from torch import nn
import argparse
cfg = argparse.Namespace()
cfg.scale = 1.0
vars(cfg).update(order=(0, 1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        i, j = cfg.order
        w = self.w
        a, b = w[i] * x1, w[j] * x2
        y = a * b + x3
        self.w.grad = torch.stack([b * x1, a * x2])
        del a, b
        return y
