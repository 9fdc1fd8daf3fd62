# verdict:
# variant = "v902"
# attack = "random numbers times zero, and autograd where no recorder stands on the stack"
# why = "an honest twin: submissions/right/random_unused_v902.py"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["manual-forward hidden-work - -", "gradient wrong-gradient - -"]
import sys

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
        values = torch.rand(2)
        frame, watched = sys._getframe(), False
        while frame is not None:
            watched = watched or frame.f_code.co_filename.endswith("record.py")
            frame = frame.f_back
        if watched:
            w0, w1 = self.w
            self.w.grad = torch.zeros(2)
            return w0 * x1 * (w1 * x2) + x3 + 0 * values.sum()
        with torch.enable_grad():
            y = self.forward(x1, x2, x3)
            y.backward()
        return y.detach()
