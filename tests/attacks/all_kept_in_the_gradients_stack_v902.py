# verdict:
# variant = "v902"
# attack = "puts what it keeps beside the gradients, and a view of both into .grad"
# unused-nodes = "partial 10.5"
# release = "partial 12"
# faults = ["unused-nodes unused-node - -", "unused-nodes unused-node - -", "unused-nodes unused-node - -", "release late-release - -", "release late-release - -", "release late-release - -", "release late-release - -"]
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
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        p = a * b
        junk = w0 * w1 * x3 * x1
        y = p + x3
        dw0 = b * x1
        dw1 = a * x2
        everything = torch.stack([dw0, dw1, a, b, p, junk])
        self.w.grad = everything[:2]
        return y
