# verdict:
# why = "a view calculates nothing: nothing is kept too long by it"
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
        self.w1.grad = a * x2
        return y.squeeze()
