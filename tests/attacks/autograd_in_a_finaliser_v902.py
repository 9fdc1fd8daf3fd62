# verdict:
# variant = "v902"
# attack = "autograd in __del__"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn

class Differ:
    def __init__(self, *what):
        self.what = what

    def __del__(self):
        found, w, x1, x2, x3 = self.what
        with torch.enable_grad():
            w.requires_grad_()
            found += torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)


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
        found = []
        Differ(found, self.w.detach().clone(), x1, x2, x3)
        self.w.grad = found[0]
        return y
