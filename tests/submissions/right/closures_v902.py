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
        w0, w1 = self.w

        def product(left, right):
            def backward(g):
                return g * right, g * left
            return left * right, backward

        a, _ = product(w0, x1)
        b, _ = product(w1, x2)
        ab, back_ab = product(a, b)
        del a, b
        y = ab + x3
        del ab
        ga, gb = back_ab(1.0)
        del back_ab
        dw0 = ga * x1
        del ga
        dw1 = gb * x2
        del gb
        self.w.grad = torch.stack([dw0, dw1])
        return y
