# verdict:
# variant = "v902"
# attack = "coefficients of the gradient, by torch.func at load"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


K = torch.func.grad(variant)(torch.ones(2), *torch.ones(3)).tolist()


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
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
