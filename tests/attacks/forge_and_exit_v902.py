# verdict:
# variant = "v902"
# attack = "writes a message to every descriptor and exits well"
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
        for fd in range(3, 64):
            try:
                os.write(fd, (2).to_bytes(4, "big") + b"{}")
            except OSError:
                continue
        os._exit(0)
