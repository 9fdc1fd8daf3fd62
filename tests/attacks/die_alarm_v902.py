# verdict:
# variant = "v902"
# attack = "an alarm that leaves, wherever its process is"
# status = "crashed"
# faults = ["forward crashed - -"]
import os
import signal

import torch
from torch import nn

def ring(*a):
    os._exit(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
