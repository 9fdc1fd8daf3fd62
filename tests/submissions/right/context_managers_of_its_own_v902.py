# verdict:
# variant = "v902"
import contextlib
import torch
from torch import nn


@contextlib.contextmanager
def product(a, b):
    yield a * b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1) * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        with product(self.w[0], x1) as a, product(self.w[1], x2) as b:
            with product(a, b) as p:
                y = p + x3
            p = None
            self.w.grad = torch.stack([b * x1, a * x2])
        return y
