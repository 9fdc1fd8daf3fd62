# verdict:
# variant = "v902"
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
        # прямой проход
        вес0, вес1 = self.w
        а = вес0 * x1  # первый узел
        б = вес1 * x2
        у = а * б + x3
        # обратный проход
        дв0 = б * x1
        del б
        дв1 = а * x2
        del а
        self.w.grad = torch.stack([дв0, дв1])
        return у
