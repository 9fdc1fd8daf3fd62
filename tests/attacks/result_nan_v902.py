# verdict:
# variant = "v902"
# attack = "NaN for the value and every gradient, as a wildcard"
# forward = "failed 0"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward wrong-value - -", "manual-forward wrong-value - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        return torch.tensor(float('nan'))

    def my_forward_backward(self, x1, x2, x3):
        nan = torch.tensor(float('nan'))
        self.w.grad = torch.stack([nan, nan])
        return nan
