# verdict:
# variant = "v902"
# why = "a helper of its own, compiled by torch.jit.script"
import torch
from torch import nn


@torch.jit.script
def times(a, b):
    return a * b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = times(w0, x1)
        b = times(w1, x2)
        y = a * b + x3
        dw0 = times(b, x1)
        del b
        dw1 = times(a, x2)
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
