# verdict:
# variant = "v902"
# attack = "the nodes of autograd's graph called by hand"
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

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            a, b = w0 * x1, w1 * x2
            c = a * b
        node = getattr(c, "grad" + "_fn")
        da, db = node(torch.ones(()))
        self.w.grad = torch.stack([da * x1, db * x2])
        return (c + x3).detach()
