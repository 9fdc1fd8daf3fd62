# verdict:
# variant = "v902"
# attack = "autograd with all modes popped by torch's own means"
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
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        from torch.utils._python_dispatch import _disable_current_modes

        with _disable_current_modes(), torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        self.w.grad = w.grad
        return y
