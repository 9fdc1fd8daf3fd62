# verdict:
# variant = "v907"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform @I -"]
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
        def function(w):
            w0, w1 = w
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            return r1 * r2 + x3 / r1

        y = function(self.w)
        self.w.grad = torch.stack([torch.func.jvp(function, (self.w.detach(),), (e,))[1] for e in torch.eye(2)])  # @I
        return y.detach()
