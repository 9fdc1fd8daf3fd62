# verdict:
# variant = "v902"
# why = "branches on what NumPy says of values"
import numpy as np
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
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        assert np.isfinite(c.numpy()) and (c.numpy() > 0 or c.tolist() < 0 or c.item() == 0)
        c = None
        dw0 = b * x1
        assert np.isfinite(b.numpy()) and (b.numpy() > 0 or b.tolist() < 0 or b.item() == 0)
        b = None
        dw1 = a * x2
        assert np.isfinite(a.numpy()) and (a.numpy() > 0 or a.tolist() < 0 or a.item() == 0)
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
