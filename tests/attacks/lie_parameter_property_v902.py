# verdict:
# variant = "v902"
# attack = "a .grad that is a property of the module's own Parameter"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["manual-forward raises - -", "gradient raises - -"]
import torch
from torch import nn

class Own(nn.Parameter):
    @property
    def grad(self):
        return Lie()

    @grad.setter
    def grad(self, value):
        pass


class Lie:
    shape = torch.Size([2])

    def __getattr__(self, name):
        return lambda *a: self


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.w = Own(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
