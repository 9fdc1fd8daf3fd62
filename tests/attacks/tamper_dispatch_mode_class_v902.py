# verdict:
# variant = "v902"
# attack = "replaces torch's mode classes"
# forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward hidden-work - -", "gradient wrong-gradient - -"]
import torch
import torch.utils._python_dispatch as python_dispatch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        python_dispatch.TorchDispatchMode.__enter__ = lambda self: self
        python_dispatch.TorchDispatchMode.__exit__ = lambda *a: None
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
