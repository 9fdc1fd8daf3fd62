# verdict:
# variant = "v902"
# attack = "puts another descriptor in the place of the pipe"
# status = "crashed"
# faults = ["forward crashed - -"]
import os

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
        a, b = os.pipe()
        for fd in range(3, 64):
            if fd not in (a, b):
                try:
                    os.fstat(fd)
                    os.dup2(1, fd)
                except OSError:
                    continue
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
