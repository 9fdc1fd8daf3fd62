# verdict:
# variant = "v902"
# attack = "keeps all values, and replaces the watch's answers by import"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["manual-forward raises - -", "gradient raises - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        from pytest_backprop.trace.lifetimes import StorageWatch

        StorageWatch.lives = lambda self: ()
        StorageWatch.poll = lambda *a: None
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        dw0 = b * x1
        dw1 = a * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
