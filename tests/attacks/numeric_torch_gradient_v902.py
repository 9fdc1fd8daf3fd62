# verdict:
# variant = "v902"
# attack = "torch.gradient on three samples"
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
        h = 0.5
        rows = torch.stack([variant(w0 + s, w1, x1, x2, x3) for s in (-h, 0, h)])
        s0 = torch.gradient(rows, spacing=h)[0][1]
        rows = torch.stack([variant(w0, w1 + s, x1, x2, x3) for s in (-h, 0, h)])
        self.w.grad = torch.stack([s0, torch.gradient(rows, spacing=h)[0][1]])
        return y
