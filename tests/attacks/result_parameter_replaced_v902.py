# verdict:
# variant = "v902"
# attack = "puts another parameter in place of self.w"
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
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        self.w = nn.Parameter(torch.zeros(2))
        self.w.grad = torch.zeros(2)
        return x3.clone()
