# verdict:
# variant = "v902"
# why = "torch's Python code between the op and its line: modules with hooks, functional, __rsub__, einsum"
import torch
from torch import nn


class Times(nn.Module):
    def forward(self, a, b):
        return a * b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.times = Times()
        self.times.register_forward_hook(lambda module, given, got: None)

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = torch.einsum(",->", w0, x1)
        b = self.times(w1, x2)
        y = torch.functional.einsum(",->", a, b) + x3
        dw0 = nn.functional.linear(b.reshape(1), x1.reshape(1, 1))[0]
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
