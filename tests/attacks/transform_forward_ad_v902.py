# verdict:
# variant = "v902"
# attack = "dual numbers of torch.autograd.forward_ad"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
import torch.autograd.forward_ad as fwad
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        found = []
        for row in torch.eye(2):
            with fwad.dual_level():
                y, slope = fwad.unpack_dual(variant(fwad.make_dual(self.w.detach(), row), x1, x2, x3))
            found.append(slope)
        self.w.grad = torch.stack(found)
        return y
