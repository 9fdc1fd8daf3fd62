# verdict:
# variant = "v902"
from dataclasses import dataclass

import torch
from torch import nn

@dataclass
class Node:
    value: torch.Tensor
    parents: tuple = ()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = Node(w0 * x1, (w0, x1))
        b = Node(w1 * x2, (w1, x2))
        y = a.value * b.value + x3
        dw0 = b.value * a.parents[1]
        b.value = None
        dw1 = a.value * b.parents[1]
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
