# verdict:
# variant = "v902"
# attack = "a function of the pass is written by exec while the file is loaded"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import torch
from torch import nn

TEXT = "def slopes(w0, w1, x1, x2):\n    return [w1 * x2 * x1, w0 * x1 * x2]"


def written():
    space = {}
    exec(TEXT, space)
    return space["slopes"]


slopes = written()


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
        self.w.grad = torch.stack(slopes(w0, w1, x1, x2))
        return y
