# verdict:
# variant = "v907"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd @I -"]
# why = "a node of autograd called by hand is autograd"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):
        with torch.enable_grad():
            w0, w1 = self.w.detach().requires_grad_()
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            left = r1 * r2
            y = left + x3 / r1
        d1, d2 = left.grad_fn(torch.tensor(1.0))  # @I
        g1 = d1 - x3 / r1 ** 2
        self.w.grad = torch.stack([g1 * 2 * w0 + d2 * x2, g1 * x1 - d2]).detach()
        return y.detach()
