# verdict:
# variant = "v902"
# attack = "a copy of the code of forward calculates y in the pass"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import types

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        global copied
        copied = types.FunctionType(Net.forward.__code__.replace(co_name='helper'), globals())

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        y = copied(self, x1, x2, x3).detach()
        w0, w1 = self.w
        self.w.grad = torch.stack([w1 * x2 * x1, w0 * x1 * x2])
        return y
