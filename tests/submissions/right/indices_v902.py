# verdict:
# variant = "v902"
# why = "honest beside attacks by indices: reads and writes of elements at positions that are worked out"
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
        w = self.w
        factors = torch.stack([x1, x2])
        parts = w * factors
        y = parts[0] * parts[1] + x3
        grads = torch.zeros(2)
        for place in range(2):
            other = 1 - place
            grads[place] = parts.index_select(0, torch.tensor([other]))[0] * factors[place : place + 1].sum()
        self.w.grad = grads
        return y
