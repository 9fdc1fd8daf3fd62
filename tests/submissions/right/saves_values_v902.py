# verdict:
# variant = "v902"
# why = "saves each value into a buffer and drops the buffer"
import io

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
        buffer = io.BytesIO()
        torch.save(c, buffer)
        del buffer
        c = None
        dw0 = b * x1
        buffer = io.BytesIO()
        torch.save(b, buffer)
        del buffer
        b = None
        dw1 = a * x2
        buffer = io.BytesIO()
        torch.save(a, buffer)
        del buffer
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
