# verdict:
# variant = "v902"
# attack = "dual numbers by torch._C alone"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity forward-ad - -"]
import torch
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
            level = torch._C._enter_dual_level()
            dual = torch._VF._make_dual(self.w.detach(), row, level=level)
            y, slope = torch._VF._unpack_dual(variant(dual, x1, x2, x3), level=level)
            found.append(slope.clone())
            y = y.clone()
            torch._C._exit_dual_level(level=level)
        self.w.grad = torch.stack(found)
        return y
