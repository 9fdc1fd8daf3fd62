# verdict:
# variant = "v902"
# attack = "autograd with the dispatch modes switched off"
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
        with torch._C._DisableTorchDispatch(), torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        self.w.grad = w.grad
        return y
