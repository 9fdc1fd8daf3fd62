# verdict:
# variant = "v902"
# attack = "autograd once, when the model is made; its numbers given for every point"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * 0.5 * (w[1] * 0.75) + 0.25).backward()
        self.kept = w.grad

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = self.kept.clone()
        return y
