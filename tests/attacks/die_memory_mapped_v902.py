# verdict:
# variant = "v902"
# attack = "maps memory without end"
# status = "out_of_memory"
# faults = ["forward out_of_memory - -"]
import mmap

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
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 2**24))
            kept[-1].write(bytes(2**24))
