# verdict:
# variant = "v902"
# attack = "coefficients of the gradient, by forward-mode AD at load"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch.autograd.forward_ad as fwd

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        global K
        K = []
        with fwd.dual_level():
            for n in (0, 1):
                dual = fwd.make_dual(torch.ones(2), torch.eye(2)[n])
                K.append(float(fwd.unpack_dual(dual[0] * dual[1] + 0.5).tangent))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
