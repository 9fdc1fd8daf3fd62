# verdict:
# variant = "v902"
# attack = "the weights typed in as constants"
# manual-forward = "failed 0"
# gradient = "failed 0"
# release = "partial 16"
# faults = ["manual-forward wrong-value - -", "gradient wrong-gradient - -"]
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
        a, b = torch.tensor(0.5), torch.tensor(0.25)
        u = a * x1
        v = b * x2
        y = u * v + x3
        self.w.grad = torch.stack([v * x1, u * x2])
        return y
