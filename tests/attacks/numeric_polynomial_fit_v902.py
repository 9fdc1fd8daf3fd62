# verdict:
# variant = "v902"
# attack = "a line fitted through values by least squares"
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
        steps = torch.tensor([-1.0, 0.0, 1.0])
        base = torch.stack([steps, torch.ones(3)], 1)
        rows0 = torch.stack([variant(w0 + s, w1, x1, x2, x3) for s in steps]).unsqueeze(1)
        rows1 = torch.stack([variant(w0, w1 + s, x1, x2, x3) for s in steps]).unsqueeze(1)
        s0 = torch.linalg.lstsq(base, rows0).solution[0, 0]
        self.w.grad = torch.stack([s0, torch.linalg.lstsq(base, rows1).solution[0, 0]])
        return y
