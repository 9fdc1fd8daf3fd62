# verdict:
# variant = "v908"
# why = "honest beside attacks by masks: a relu by where, its slope by a boolean mask"
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
        on = d > 0
        y = torch.where(on, d, torch.zeros_like(d))
        del d
        slope = torch.zeros(1)
        slope[on.reshape(1)] = 1.0
        del on
        self.w.grad = torch.cat([slope * x1, -slope * x2])
        return y
