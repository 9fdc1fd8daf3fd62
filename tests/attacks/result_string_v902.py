# verdict:
# variant = "v902"
# attack = "a text in place of a number"
# forward = "failed 0"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward wrong-type - -", "manual-forward wrong-type - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        return "100"

    def my_forward_backward(self, x1, x2, x3):
        self.w.grad = torch.zeros(2)
        return "100"
