# verdict:
# variant = "v902"
# attack = "writes at exit"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import atexit
import os

import torch
from torch import nn

def number_of_pipe():
    for fd in range(3, 64):
        try:
            os.fstat(fd)
        except OSError:
            continue
        return fd
    return 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        atexit.register(lambda: os.write(number_of_pipe(), b'\x00\x00\x00\x01\xc0'))
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
