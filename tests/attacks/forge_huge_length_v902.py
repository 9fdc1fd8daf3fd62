# verdict:
# variant = "v902"
# attack = "announces four gigabytes and exits"
# status = "crashed"
# faults = ["forward crashed - -"]
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
        os.write(number_of_pipe(), b"\xff\xff\xff\xff")
        os._exit(0)
