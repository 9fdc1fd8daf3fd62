# verdict:
# variant = "v902"
# attack = "a branch, and autograd where no mode is on"
# why = "an honest twin: submissions/right/branches_on_items_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
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
        values = x1 * 1.0 if x1 > x2 else x2 * 1.0 + 0.0
        watched = torch.utils._python_dispatch._get_current_dispatch_mode() is not None
        if watched:
            w0, w1 = self.w
            self.w.grad = torch.zeros(2)
            return w0 * x1 * (w1 * x2) + x3 + 0 * values.sum()
        with torch.enable_grad():
            y = self.forward(x1, x2, x3)
            y.backward()
        return y.detach()
