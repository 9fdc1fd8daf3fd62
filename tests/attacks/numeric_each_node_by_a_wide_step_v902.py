# verdict:
# variant = "v902"
# attack = "differences of each node by itself, with a step of 1024, which are exact for products"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity finite-differences - -"]
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
        def slope(node, *args, at):
            H = 1024.0
            up = node(*args[:at], args[at] + H, *args[at + 1 :])
            down = node(*args[:at], args[at] - H, *args[at + 1 :])
            return (up - down) / (2 * H)

        product = lambda a, b: a * b
        plus = lambda a, b: a + b
        w0, w1 = self.w
        a = product(w0, x1)
        b = product(w1, x2)
        p = product(a, b)
        y = plus(p, x3)
        dp = slope(plus, p, x3, at=0)
        del p
        da = slope(product, a, b, at=0) * dp
        db = slope(product, a, b, at=1) * dp
        del a, b, dp
        dw0 = slope(product, x1, w0, at=1) * da
        dw1 = slope(product, x2, w1, at=1) * db
        self.w.grad = torch.stack([dw0, dw1])
        return y
