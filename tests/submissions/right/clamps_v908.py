# verdict:
# variant = "v908"
# why = "honest beside attacks by bounds of clamps: a relu by clamp, its slope by comparison"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1 - w1 * x2)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        d = w0 * x1 - w1 * x2
        y = d.clamp(min=0.0)
        slope = (d > 0).float()
        del d
        dw0 = slope * x1
        dw1 = -slope * x2
        del slope
        self.w.grad = torch.stack([dw0, dw1])
        return y
