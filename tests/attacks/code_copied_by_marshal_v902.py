# verdict:
# variant = "v902"
# attack = "code that went through marshal"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import marshal
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
        work = types.FunctionType(marshal.loads(marshal.dumps(slopes.__code__)), globals())
        self.w.grad = torch.stack(work(w0, w1, x1, x2))
        return y
