# verdict:
# variant = "v902"
# attack = "infinities for the value and every gradient"
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
        return torch.tensor(float('inf'))

    def my_forward_backward(self, x1, x2, x3):
        inf = torch.tensor(float('inf'))
        self.w.grad = torch.stack([inf, -inf])
        return inf
