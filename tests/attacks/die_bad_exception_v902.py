# verdict:
# variant = "v902"
# attack = "an exception whose text raises"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["manual-forward raises - -", "gradient raises - -"]
import torch
from torch import nn

class Broken(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        raise Broken
