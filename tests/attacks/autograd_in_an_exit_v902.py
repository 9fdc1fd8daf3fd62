# verdict:
# variant = "v902"
# attack = "autograd in __exit__ of a context manager"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn

class Differ:
    def __init__(self, model, x1, x2, x3):
        self.model = model
        with torch.enable_grad():
            self.w = model.w.detach().clone().requires_grad_()
            self.y = self.w[0] * x1 * (self.w[1] * x2) + x3

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.y.backward()
        self.model.w.grad = self.w.grad


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        with Differ(self, x1, x2, x3) as d:
            y = d.y.detach()
        return y
