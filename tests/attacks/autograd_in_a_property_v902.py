# verdict:
# variant = "v902"
# attack = "autograd in a property"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn


class Net(nn.Module):
    @property
    def slope(self):
        x1, x2, x3 = self.x
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.x = x1, x2, x3
        self.w.grad = self.slope
        return y
