# verdict:
# variant = "v902"
# attack = "a difference of values at 1 and at 0: exact where the function is linear"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences - -"]
import torch
from torch import nn

def variant(w0, w1, x1, x2, x3):
    return w0 * x1 * (w1 * x2) + x3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)
        s0 = variant(torch.ones(()), w1, x1, x2, x3) - variant(torch.zeros(()), w1, x1, x2, x3)
        s1 = variant(w0, torch.ones(()), x1, x2, x3) - variant(w0, torch.zeros(()), x1, x2, x3)
        self.w.grad = torch.stack([s0, s1])
        return y
