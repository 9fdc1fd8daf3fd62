# verdict:
# variant = "v902"
# attack = "its own source, compiled again"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import inspect

import torch
from torch import nn

def slopes(w0, w1, x1, x2):
    return [w1 * x2 * x1, w0 * x1 * x2]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        space = {}
        exec(inspect.getsource(slopes), space)
        self.w.grad = torch.stack(space["slopes"](w0, w1, x1, x2))
        return y
