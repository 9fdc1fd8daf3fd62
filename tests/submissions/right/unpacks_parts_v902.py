# verdict:
# variant = "v902"
# why = "honest beside attacks by which part is read: unbind, split, chunk"
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
        w0, w1 = self.w.unbind()
        pair = torch.stack([w0 * x1, w1 * x2])
        first, second = pair.split(1)
        y = (first * second).reshape(()) + x3
        dw0 = second * x1
        dw1 = first * x2
        del first, second, pair
        self.w.grad = torch.cat([dw0, dw1])
        return y
