# verdict:
# variant = "v902"
# attack = "differences in a cumulative sum"
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

        def slope(f, w):
            return torch.cumsum(torch.stack([f(w + 1e-3), -f(w - 1e-3)]), 0)[1] / 2e-3

        f0 = lambda t: variant(t, w1, x1, x2, x3)
        f1 = lambda t: variant(w0, t, x1, x2, x3)
        self.w.grad = torch.stack([slope(f0, w0), slope(f1, w1)])
        return y
