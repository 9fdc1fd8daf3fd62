# verdict:
# why = "the twin: an op at the return, while a is there"
# release = "partial 18: late-release @L a"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w0 = nn.Parameter(torch.tensor([0.5]))
        self.w1 = nn.Parameter(torch.tensor([0.25]))

    def forward(self, x1, x2, x3):
        y = self.w0 * x1 * (self.w1 * x2) + x3
        return y.squeeze()

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        a = self.w0 * x1
        b = self.w1 * x2
        y = a * b + x3
        self.w0.grad = b * x1
        del b
        self.w1.grad = a * x2  # @L
        return y.sum()
