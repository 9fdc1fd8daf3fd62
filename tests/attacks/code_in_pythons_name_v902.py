# verdict:
# variant = "v902"
# attack = "a copy of code that calls itself one of functools"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import functools
import types

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
        code = slopes.__code__.replace(co_filename=functools.__file__, co_name="reduce")
        self.w.grad = torch.stack(types.FunctionType(code, vars(functools))(w0, w1, x1, x2))
        return y
