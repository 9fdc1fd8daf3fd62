# verdict:
# variant = "v902"
# attack = "takes memory without end"
# status = "out_of_memory"
# faults = ["forward out_of_memory - -"]
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
        kept = []
        while True:
            kept.append(torch.ones(10**6))
